import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UsageError } from "./output";
import { folderFor, writeWhole } from "./writeFile";

let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-write-"));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));
const at = (name: string) => path.join(dir, name);

test("a file appears whole, with the folders it needs, and nothing is left beside it", () => {
  writeWhole(at("new/a.txt"), ["one\n", "two\n"]);
  expect(fs.readFileSync(at("new/a.txt"), "utf8")).toBe("one\ntwo\n");
  expect(fs.readdirSync(at("new"))).toEqual(["a.txt"]);
});

test("a failure in the middle leaves what was there", () => {
  fs.writeFileSync(at("kept.txt"), "before");
  const failing = function* () {
    yield "half";
    throw new Error("no more");
  };
  expect(() => writeWhole(at("kept.txt"), failing())).toThrow("no more");
  expect(fs.readFileSync(at("kept.txt"), "utf8")).toBe("before");
  expect(fs.readdirSync(dir).filter((name) => name.includes("partial"))).toEqual([]);
});

test("a link leads to the file that is written, and a pipe stays one", () => {
  fs.writeFileSync(at("real.txt"), "old");
  fs.symlinkSync("real.txt", at("link.txt"));
  writeWhole(at("link.txt"), ["new"]);
  expect([fs.lstatSync(at("link.txt")).isSymbolicLink(), fs.readFileSync(at("real.txt"), "utf8")]).toEqual([
    true,
    "new",
  ]);
  execFileSync("mkfifo", [at("pipe")]);
  const reader = fs.openSync(at("pipe"), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  writeWhole(at("pipe"), ["through"]);
  const read = Buffer.alloc(20);
  expect(read.toString("utf8", 0, fs.readSync(reader, read))).toBe("through");
  fs.closeSync(reader);
  expect(fs.statSync(at("pipe")).isFIFO()).toBe(true);
});

test("a folder is no file and a file no folder: an unusable call, in words", () => {
  expect(() => writeWhole(dir, [""])).toThrow(UsageError);
  fs.writeFileSync(at("file"), "");
  expect(() => folderFor(at("file"))).toThrow(UsageError);
  expect(() => writeWhole(at("file/below.txt"), [""])).toThrow(/a file is in its place/);
});
