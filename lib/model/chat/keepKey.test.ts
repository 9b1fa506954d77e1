import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepKey } from "./keepKey";
import { readKeys, writeKey } from "./keys";
import { changeSettings } from "./settings";

let folder: string;
let files: { settings: string; keys: string };
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "keep-key-"));
  files = { settings: path.join(folder, "models.json"), keys: path.join(folder, "keys.json") };
  changeSettings(() => ({ endpoints: [endpoint("one"), endpoint("two")] }), files.settings);
  writeKey("one", "key-one", files.keys);
  writeKey("two", "key-two", files.keys);
});
afterEach(() => fs.rmSync(folder, { recursive: true }));
const endpoint = (name: string) => ({ name, kind: "openai" as const, baseUrl: `http://${name}/v1` });

test("a key goes along with its endpoint's name, and is set, kept and taken out as asked", () => {
  keepKey("one", endpoint("first"), null, files);
  expect(readKeys(files.keys)).toEqual({ first: "key-one", two: "key-two" });
  keepKey("two", endpoint("two"), "new-key", files);
  keepKey(null, endpoint("three"), "key-three", files);
  expect(readKeys(files.keys)).toEqual({ first: "key-one", two: "new-key", three: "key-three" });
  keepKey("two", endpoint("two"), " ", files);
  expect(readKeys(files.keys)).toEqual({ first: "key-one", three: "key-three" });
});

test("an endpoint that cannot be saved under a name that is taken touches no key", () => {
  expect(() => keepKey("one", endpoint("two"), null, files)).toThrow(/"two" is there twice/);
  expect(() => keepKey(null, endpoint("two"), "other", files)).toThrow(/"two" is there twice/);
  expect(readKeys(files.keys)).toEqual({ one: "key-one", two: "key-two" });
});
