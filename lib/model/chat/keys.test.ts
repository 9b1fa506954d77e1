import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/db/client";
import { keyOf, keyState, moveKey, readKeys, writeKey } from "./keys";
import { endpointSchema } from "./settings";
import { ASK, FOR, failure, start } from "./testing/started";

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "keys-"));
  file = path.join(folder, "keys.json");
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const endpoint = (more = {}) =>
  endpointSchema.parse({ name: "local", kind: "openai", baseUrl: "http://a/v1", ...more });
const SECRET = 'sk-"quoted"\\secret+key/1234';

describe("keys.json", () => {
  it("is written so that only its owner can read it, and keeps the others' keys", () => {
    writeKey("local", " key-one ", file);
    writeKey("other", "key-two", file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(keyOf(endpoint(), {}, file)).toBe("key-one");
    writeKey("local", null, file);
    expect(readKeys(file)).toEqual({ other: "key-two" });
    expect(fs.readdirSync(folder)).toEqual(["keys.json"]);
  });

  it.each([0o640, 0o604, 0o660, 0o644])("with mode %o is refused, and not overwritten", (mode) => {
    fs.writeFileSync(file, '{"local": "key-one"}');
    fs.chmodSync(file, mode);
    expect(() => readKeys(file)).toThrow(
      `its mode is 0${mode.toString(8)}, so others may read the keys; run: chmod 600`,
    );
    expect(() => writeKey("local", "key-two", file)).toThrow(/chmod 600/);
    expect(fs.readFileSync(file, "utf8")).toContain("key-one");
  });

  it("that is broken is refused without a word of what is in it", () => {
    fs.writeFileSync(file, '{"local": key-one}', { mode: 0o600 });
    expect(() => readKeys(file)).toThrow(/keys\.json: no JSON$/);
    fs.writeFileSync(file, '{"local": ["key-one"]}', { mode: 0o600 });
    expect(() => readKeys(file)).toThrow(/keys\.json, local: is not a text$/);
  });

  it("has no key for an endpoint that is called like what every object has", () => {
    for (const name of ["constructor", "toString", "valueOf"]) {
      expect(keyOf(endpoint({ name }), {}, file)).toBeNull();
      expect(keyState(endpoint({ name }), {}, file)).toEqual({ source: "none", set: false });
      moveKey(name, "other", file);
      expect(readKeys(file)).toEqual({});
      writeKey(name, "key-of-this", file);
      expect(keyOf(endpoint({ name }), {}, file)).toBe("key-of-this");
      writeKey(name, null, file);
    }
  });

  it("that is a link stays one: a key that is taken out is nowhere any more", () => {
    const target = path.join(folder, "elsewhere.json");
    fs.symlinkSync(target, file);
    fs.writeFileSync(target, "{}", { mode: 0o600 });
    writeKey("local", "key-one", file);
    expect(readKeys(target)).toEqual({ local: "key-one" });
    writeKey("local", null, file);
    expect(fs.readFileSync(target, "utf8")).not.toContain("key-one");
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
  });

  it("takes no key that a header cannot carry", () => {
    for (const key of ["", "two words", "schlüssel", "a\nb"])
      expect(() => writeKey("local", key, file)).toThrow(/no header can carry/);
  });
});

it("the environment comes first, and says what is missing", async () => {
  writeKey("local", "key-of-file", file);
  const named = endpoint({ keyEnv: "LOCAL_KEY" });
  expect(keyOf(named, { LOCAL_KEY: "key-of-env" }, file)).toBe("key-of-env");
  expect(() => keyOf(named, {}, file)).toThrow(/the environment, LOCAL_KEY: not set; endpoint "local"/);
  expect(keyState(named, {}, file)).toEqual({ source: "environment", variable: "LOCAL_KEY", set: false });
  expect(keyState(endpoint(), {}, file)).toEqual({ source: "file", set: true });
  expect(keyState(endpoint({ name: "new" }), {}, file)).toEqual({ source: "none", set: false });

  const { model, server } = await start({}, { endpoint: { keyEnv: "LOCAL_KEY" } });
  expect((await failure(model.chat(ASK, FOR))).message).toMatch(/LOCAL_KEY: not set/);
  expect(server.requests).toEqual([]);
});

/** Everything the database holds, blobs unpacked. */
async function everything(db: Db): Promise<string> {
  const { getBlob } = await import("@/db/blobs");
  const usage = JSON.stringify(db.$client.prepare("select * from usage").all());
  const hashes = db.$client.prepare<[], { hash: string }>("select hash from blob").all();
  return [usage, ...hashes.map(({ hash }) => getBlob(db, hash).toString())].join("\n");
}

describe("the key", () => {
  const open = { env: { LOCAL_KEY: SECRET } };
  it("is sent, and comes back nowhere: not in replies, errors, tries or blobs, also when the server or the prompt says it", async () => {
    const said = `you sent ${SECRET}, as an address ${encodeURIComponent(SECRET)}`;
    const { db, model, server } = await start(
      {
        answer: () => ({ text: said }),
        script: [
          { kind: "status", status: 500, message: said },
          { kind: "malformed", body: said },
          null,
          { kind: "status", status: 401, message: `wrong key: ${SECRET}, not ${SECRET}` },
        ],
      },
      { endpoint: { keyEnv: "LOCAL_KEY" }, open },
    );
    const reply = await model.chat({ ...ASK, messages: [{ role: "user", content: `my key is ${SECRET}` }] }, FOR);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(reply.text).toBe("you sent [key of local], as an address [key of local]");
    const { message } = await failure(model.chat(ASK, FOR));
    expect(message).toBe("local, test: status 401: wrong key: [key of local], not [key of local]");
    const all = await everything(db);
    expect(all).toContain("[key of local]");
    for (const form of [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)])
      expect(all).not.toContain(form);
  });

  it("that is none changes no reply: servers without keys want a word like EMPTY", async () => {
    const { model, server } = await start(
      { answer: () => "the folder is EMPTY" },
      { endpoint: { keyEnv: "LOCAL_KEY" }, open: { env: { LOCAL_KEY: "EMPTY" } } },
    );
    expect((await model.chat(ASK, FOR)).text).toBe("the folder is EMPTY");
    expect(server.requests[0]?.headers.authorization).toBe("Bearer EMPTY");
  });
});
