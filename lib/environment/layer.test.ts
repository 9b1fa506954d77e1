import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { scratch } from "@/lib/trajectory/testing";
import { planDockerfile } from "./dockerfile";
import { applyToLayer } from "./layer";

function build(lines: string[], files: Record<string, string>): string {
  const context = scratch(files);
  const root = scratch();
  for (const step of planDockerfile(["FROM misstep/base", ...lines].join("\n")).steps)
    if (step.kind !== "run") applyToLayer(root, context, step);
  return root;
}
const tree = (root: string): string[] =>
  (fs.readdirSync(root, { recursive: true }) as string[])
    .filter((p) => !fs.statSync(path.join(root, p)).isDirectory())
    .sort();

test("COPY follows Docker: contents of folders, files into folders that are there, else under the new name", () => {
  const files = { "seeds/a.txt": "a", "seeds/sub/b.txt": "b", "x.sh": "x", "one.md": "1", "two.md": "2" };
  const root = build(
    [
      "WORKDIR /app",
      "COPY seeds .",
      "COPY x.sh /app/tools/run.sh",
      "COPY x.sh /app/sub",
      "COPY *.md docs/",
      "COPY x.sh /etc",
      "COPY x.sh /opt/new",
    ],
    files,
  );
  expect(tree(root)).toEqual([
    "app/a.txt",
    "app/docs/one.md",
    "app/docs/two.md",
    "app/sub/b.txt",
    "app/sub/x.sh",
    "app/tools/run.sh",
    "etc/x.sh",
    "opt/new",
  ]);
});

test("a file for /bin goes to /usr/bin, so that the layer does not hide the link in the base", () => {
  expect(tree(build(["COPY --chmod=755 x /bin/x", "COPY x /lib/y"], { x: "" }))).toEqual(["usr/bin/x", "usr/lib/y"]);
});

test("nothing is written through a link, and what is not in the build folder is named", () => {
  const context = scratch({ file: "x" });
  const outside = scratch();
  const root = scratch();
  fs.symlinkSync(outside, path.join(context, "link"));
  const [link, through] = planDockerfile("FROM misstep/base\nCOPY link /app/link\nCOPY file /app/link/file\n").steps;
  applyToLayer(root, context, link as never);
  expect(() => applyToLayer(root, context, through as never)).toThrow(/\/app\/link is no folder/);
  expect(fs.readdirSync(outside)).toEqual([]);
  expect(() => build(["COPY ../x /x"], {})).toThrow(/line 2: \.\.\/x is outside the build folder/);
  expect(() => build(["COPY nothing /x"], {})).toThrow(/nothing is not in the build folder/);
});
