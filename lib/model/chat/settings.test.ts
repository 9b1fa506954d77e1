import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMemoryDb } from "@/db/client";
import { openModels } from "./open";
import { changeSettings, checkSettings, readSettings, SettingsError } from "./settings";

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "settings-"));
  file = path.join(folder, "models.json");
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const ENDPOINT = { name: "local", kind: "openai", baseUrl: "http://127.0.0.1:8000/v1/" };
const MODEL = { name: "qwen", endpoint: "local", id: "Qwen/Qwen3-4B" };

it("no file is no endpoint; defaults are filled in; what is written is read again", () => {
  expect(readSettings(file)).toEqual({ endpoints: [], models: [], roles: {}, budgets: {} });
  const written = changeSettings(
    () => ({ endpoints: [ENDPOINT], models: [MODEL], roles: { policy: { model: "qwen" } } }),
    file,
  );
  expect(written.endpoints[0]).toEqual({
    ...ENDPOINT,
    baseUrl: "http://127.0.0.1:8000/v1",
    concurrency: 4,
    timeoutSeconds: 120,
    tries: 5,
  });
  expect(readSettings(file)).toEqual(written);
  expect(fs.readdirSync(folder)).toEqual(["models.json"]);
});

describe("a file at fault is named, with the place and the reason, and never overwritten", () => {
  const cases: [string, unknown, RegExp][] = [
    ["no JSON", "{", /models\.json: no JSON: /],
    ["an unknown field", { endpoints: [{ ...ENDPOINT, key: "sk" }] }, /models\.json, endpoints\.0: .*"key"/],
    [
      "an address that is none",
      { endpoints: [{ ...ENDPOINT, baseUrl: "localhost:8000" }] },
      /endpoints\.0\.baseUrl: is an address/,
    ],
    [
      "a key in the address",
      { endpoints: [{ ...ENDPOINT, baseUrl: "http://me:sk@host/v1" }] },
      /baseUrl: must hold no name/,
    ],
    [
      "a key in place of a variable",
      { endpoints: [{ ...ENDPOINT, keyEnv: "sk-123" }] },
      /keyEnv: is the name of an environment/,
    ],
    [
      "a key that could be a name",
      { endpoints: [{ ...ENDPOINT, keyEnv: `AIza${"Sy0d".repeat(8)}` }] },
      /keyEnv: looks like a key; it is the name of the environment variable that holds it$/,
    ],
    ["a name twice", { endpoints: [ENDPOINT, ENDPOINT] }, /endpoints\.1\.name: "local" is there twice/],
    ["a model without its endpoint", { models: [MODEL] }, /models\.0\.endpoint: there is no endpoint "local"/],
    ["a role that is none", { roles: { cook: { model: "qwen" } } }, /models\.json, roles/],
    [
      "a role without its model",
      { roles: { teacher: { model: "gpt" } } },
      /roles\.teacher\.model: there is no model "gpt"/,
    ],
    ["a budget of nothing", { budgets: { calls: 0 } }, /budgets\.calls: /],
  ];
  it.each(cases)("%s", (_, content, message) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    fs.writeFileSync(file, text);
    expect(() => readSettings(file)).toThrow(SettingsError);
    expect(() => readSettings(file)).toThrow(message);
    expect(() => changeSettings(() => ({}), file)).toThrow(message);
    expect(fs.readFileSync(file, "utf8")).toBe(text);
  });
});

it("a file that is no JSON is refused with the line, and without a word of what is there", () => {
  for (const line of ['"apiKey": sk-SECRET-123,', '"apiKey": "sk-SECRET-123" "x"', "'sk-SECRET-123'"]) {
    fs.writeFileSync(file, `{\n"endpoints": [],\n${line}\n}`);
    expect(() => readSettings(file)).toThrow(/models\.json: no JSON: .* line 3/);
    expect(() => readSettings(file)).not.toThrow(/SECRET/);
  }
  fs.writeFileSync(file, "");
  expect(() => readSettings(file)).toThrow(/no JSON: Unexpected end of JSON input$/);
});

it("a change at fault is refused and leaves the file as it was", () => {
  changeSettings(() => ({ endpoints: [ENDPOINT], models: [MODEL] }), file);
  const before = fs.readFileSync(file, "utf8");
  expect(() => changeSettings((now) => ({ ...now, endpoints: [] }), file)).toThrow(/models\.0\.endpoint/);
  expect(fs.readFileSync(file, "utf8")).toBe(before);
});

it("roles are sampled as the paper has it where nothing else is said", () => {
  const settings = checkSettings({
    endpoints: [ENDPOINT],
    models: [
      { ...MODEL, thinking: "low" },
      { ...MODEL, name: "judge" },
    ],
    roles: {
      policy: { model: "qwen" },
      localizer: { model: "qwen", thinking: "off" },
      "rubric-judge": { model: "qwen", temperature: 0 },
    },
  });
  const models = openModels(openMemoryDb(), { settings });
  expect(models.forRole("policy")).toMatchObject({ model: { name: "qwen" }, temperature: 1, thinking: "low" });
  expect(models.forRole("localizer")).toMatchObject({ temperature: 0.7, thinking: "off" });
  expect(models.forRole("rubric-judge")).toMatchObject({ temperature: 0 });
  expect(models.forRole("policy", "judge")).toMatchObject({
    model: { name: "judge" },
    temperature: 1,
    thinking: "default",
  });
  expect(models.forRole("teacher")).toBeNull();
  expect(() => models.model("gpt")).toThrow(/there is no model "gpt"/);
});
