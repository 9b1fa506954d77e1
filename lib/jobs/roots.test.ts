import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confine } from "./roots";

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
