import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { POST } from "./route";

vi.mock("@/app/actor", () => ({ currentActor: async () => ({ personId: null, name: "web", role: "admin" }) }));

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-upload-"));
  vi.stubEnv("MISSTEP_HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(home, { recursive: true, force: true });
});

const BATCH = "0123456789abcdef";
const send = (name: string, body = "x", batch = BATCH) =>
  POST(
    new Request(`http://127.0.0.1/api/upload?${new URLSearchParams({ batch, path: name })}`, { method: "POST", body }),
  );
const stored = (name: string) => fs.readFileSync(path.join(home, "uploads", BATCH, name), "utf8");

test("a file lands below its batch, also an empty one", async () => {
  expect(await (await send("a/b.json", "hello")).json()).toEqual({
    folder: path.join(home, "uploads", BATCH),
    bytes: 5,
  });
  expect(stored("a/b.json")).toBe("hello");
  expect((await send("empty", "")).status).toBe(200);
  expect(stored("empty")).toBe("");
});

test.each(["../x", "/x", "a/../../x", "a//b", "a\0b", "a\\b", ".", "", "a".repeat(300), "d/".repeat(600)])(
  "%j is refused and writes nothing",
  async (name) => {
    expect((await send(name)).status).toBe(400);
    expect((await send("x", "x", "../../x")).status).toBe(400);
    const files = fs.readdirSync(home, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    expect(files).toEqual([]);
  },
);

test("a name that is a folder already, or a folder that is a file, is a conflict with words", async () => {
  await send("a/b");
  for (const name of ["a", "a/b/c"]) {
    const answer = await send(name);
    expect(answer.status, name).toBe(409);
    expect((await answer.json()).error).toContain(name);
  }
  expect(stored("a/b")).toBe("x");
});

test("several senders of one name leave one whole file and no remains", async () => {
  const bodies = ["1", "2", "3", "4"].map((c) => c.repeat(500_000));
  const answers = await Promise.all(bodies.map((body) => send("same", body)));
  expect(answers.map((a) => a.status)).toEqual([200, 200, 200, 200]);
  expect(bodies).toContain(stored("same"));
  expect(fs.readdirSync(path.join(home, "uploads"))).toEqual([BATCH]);
});
