import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confine, importTitle } from "./roots";

let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-roots-"));
  fs.mkdirSync(path.join(dir, "in/deep"), { recursive: true });
  fs.mkdirSync(path.join(dir, "in-other"));
  fs.symlinkSync(path.join(dir, "in-other"), path.join(dir, "in/link"));
});
afterAll(() => fs.rmSync(dir, { recursive: true }));

test("only what really lies below a root may be imported", () => {
  const roots = [path.join(dir, "in")];
  expect(confine(path.join(dir, "in/deep"), roots)).toMatchObject({ ok: true });
  expect(confine(path.join(dir, "in/deep/../../in-other"), roots).ok).toBe(false);
  expect(confine(path.join(dir, "in-other"), roots).ok).toBe(false);
  expect(confine(path.join(dir, "in/link"), roots).ok).toBe(false);
  expect(confine("in/deep", roots).ok).toBe(false);
  expect(confine(path.join(dir, "in/nothing"), roots).ok).toBe(false);
});

test("an import is called by the names that were dropped, or by its path", () => {
  const uploads = path.join(dir, "uploads");
  const batch = path.join(uploads, "0123456789abcdef");
  fs.mkdirSync(path.join(batch, "job-a"), { recursive: true });
  expect(importTitle(batch, uploads)).toBe("Import what was dropped: job-a");
  fs.writeFileSync(path.join(batch, "run.zip"), "");
  expect(importTitle(batch, uploads)).toBe("Import what was dropped: job-a and 1 more");
  expect(importTitle(path.join(batch, "run.zip"), uploads)).toBe(`Import ${path.join(batch, "run.zip")}`);
  expect(importTitle(path.join(dir, "in"), uploads)).toBe(`Import ${path.join(dir, "in")}`);
});
