import { writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { discover } from "./discover";
import { readUnit } from "./read";
import { SAMPLES } from "./samples";
import { importAll, importOne, scratch, zip } from "./testing";

const chat = SAMPLES.chat as object;
const keys = async (root: string, limit?: number) => {
  const found: string[] = [];
  for await (const item of discover(root, limit === undefined ? {} : { limit }))
    found.push(item.kind === "unit" ? item.unit.key : `(${item.kind})`);
  return found;
};

describe("discover", () => {
  it("walks in order of names, whatever they end in, and stops at the limit", async () => {
    const root = scratch({
      "b.json": chat,
      "a/z.log": JSON.stringify(chat),
      "a/10": JSON.stringify(chat),
      "a/9.txt": JSON.stringify(chat),
    });
    expect(await keys(root)).toEqual(["a/10", "a/9.txt", "a/z.log", "b.json"]);
    expect(await keys(root, 2)).toEqual(["a/10", "a/9.txt"]);
    expect(await keys(path.join(root, "b.json"))).toEqual(["b.json"]);
  });

  it("says of every other file why it is none", async () => {
    const root = scratch({
      "README.md": "# x",
      Dockerfile: "FROM x",
      "task/task.toml": "",
      "task/instruction.md": "",
      "notes.txt": "plain",
      "session.cast": '{"version": 2}\n',
      "x.7z": Buffer.from("7z\xbc\xaf\x27\x1c", "latin1"),
      "config.json": { a: 1 },
      ".git/HEAD": "ref",
      "empty.json": "",
    });
    const { skipped, refused, trajectories } = await importAll(root);
    expect(trajectories).toHaveLength(0);
    expect(Object.fromEntries(skipped.map((item) => [item.key, item.reason]))).toEqual({
      ".git": "never holds trajectories",
      Dockerfile: "no trajectory by its name",
      "README.md": "no trajectory: .md file",
      "config.json": 'no trajectory: a JSON object with "a"',
      "notes.txt": "no trajectory: not JSON",
      "session.cast": "terminal recording: it has no steps",
      "task/": "a Harbor task, no trajectory",
    });
    expect(refused.map((item) => [item.key, item.reason])).toEqual([
      ["empty.json", "the file is empty"],
      ["x.7z", "7z archives are not opened"],
    ]);
  });

  it("names members of an archive under it, and reads each", async () => {
    const data = Buffer.from(JSON.stringify(chat));
    const root = scratch({
      "runs/a.zip": zip([
        { name: "b/2.json", data },
        { name: "1.json", data, method: 0 },
        { name: "b/x.md", data: Buffer.from("x") },
      ]),
    });
    expect(await keys(root)).toEqual(["runs/a.zip!/1.json", "runs/a.zip!/b/2.json", "(skipped)"]);
    const { trajectories, hashes } = await importAll(root);
    expect(trajectories).toHaveLength(2);
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).toBe((await importOne(data)).hashes[0]);
  });

  it("knows a line again when lines are added after it, and names a gzipped single file", async () => {
    const line = JSON.stringify(chat);
    const one = await importOne(`${line}\n`, "a.jsonl");
    const two = await importOne(`${line}\n${JSON.stringify(SAMPLES.docent)}\n`, "a.jsonl");
    expect(two.hashes[0]).toBe(one.hashes[0]);
    expect(two.hashes[1]).not.toBe(one.hashes[0]);
    expect((await importOne(gzipSync(line), "a.jsonl.gz")).refused[0]?.hint).toContain("Gunzip");
  });

  it("refuses what is not there, and reading says so too", async () => {
    const missing = path.join(scratch(), "gone");
    const found = [];
    for await (const item of discover(missing)) found.push(item);
    expect(found).toMatchObject([{ kind: "refused", refusal: { path: missing } }]);
    const results = [];
    for await (const item of readUnit({ key: "gone", path: missing, member: null, bytes: 0 }, missing))
      results.push(item);
    expect(results).toMatchObject([
      { kind: "refused", refusal: { key: "gone", reason: "the file is not there (any more)" } },
    ]);
  });

  it("goes on past an entry that cannot be read, and names it", async () => {
    const root = scratch({ "a.json": chat, "result.json": chat, "sub/b.json": chat });
    const bad = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x62, 0xff, 0xfe])]);
    writeFileSync(bad, JSON.stringify(chat));
    const found = await importAll(root);
    expect(found.trajectories).toHaveLength(3);
    expect(found.refused.map((item) => item.reason)).toEqual(["its name is not valid UTF-8; rename it"]);
  });

  it("does not take a device or a pipe for an empty file", async () => {
    expect(await importAll("/dev/null")).toMatchObject({ refused: [{ reason: "neither a file nor a folder" }] });
  });
});
