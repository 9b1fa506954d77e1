import "server-only";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { home } from "@/db/home";
import { writeWhole } from "./file";
import { type Endpoint, SettingsError } from "./settings";

/** Variables of the environment. */
export type Environment = Record<string, string | undefined>;

const keysSchema = z.record(z.string(), z.string().trim());

/** Where a key would be found, and whether it is there; never the key. */
export type KeyState =
  | { source: "environment"; variable: string; set: boolean }
  | { source: "file"; set: boolean }
  /** No key is named anywhere: the endpoint is called without one. */
  | { source: "none"; set: false };

/** The file of keys in the home for data: { endpoint name: key }, mode 0600. */
export const keysFile = (): string => path.join(home().root, "keys.json");

/** Reads keys.json; no file means no keys. Throws SettingsError when others may read it, or when it does not parse. */
export function readKeys(file = keysFile()): Record<string, string> {
  let handle: number;
  try {
    handle = fs.openSync(file, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new SettingsError(file, null, error instanceof Error ? error.message : String(error));
  }
  try {
    const mode = fs.fstatSync(handle).mode & 0o777;
    if (mode & 0o077)
      throw new SettingsError(
        file,
        null,
        `its mode is ${mode.toString(8).padStart(4, "0")}, so others may read the keys; run: chmod 600 ${file}`,
      );
    let json: unknown;
    try {
      json = JSON.parse(fs.readFileSync(handle, "utf8"));
    } catch {
      // What the parser says would quote the text, keys included.
      throw new SettingsError(file, null, "no JSON");
    }
    const read = keysSchema.safeParse(json);
    if (!read.success) throw new SettingsError(file, String(read.error.issues[0]?.path[0] ?? ""), "is not a text");
    return read.data;
  } finally {
    fs.closeSync(handle);
  }
}

/** The key of an endpoint in the file; no endpoint finds what every object has ("constructor"). */
const stored = (keys: Record<string, string>, endpoint: string): string | null =>
  (Object.hasOwn(keys, endpoint) && keys[endpoint]) || null;

/** Puts a key into keys.json, or takes it out (null). The file is written anew with mode 0600. Throws SettingsError. */
export function writeKey(endpoint: string, key: string | null, file = keysFile()): void {
  const now = readKeys(file);
  if (key === null && !Object.hasOwn(now, endpoint)) return;
  const { [endpoint]: _, ...keys } = now;
  if (key !== null) {
    const fault = keyFault(key.trim());
    if (fault !== null) throw new SettingsError(file, endpoint, fault);
    keys[endpoint] = key.trim();
  }
  writeWhole(file, `${JSON.stringify(keys, null, 2)}\n`);
}

/** Keeps the key of an endpoint that gets another name. Throws SettingsError. */
export function moveKey(from: string, to: string, file = keysFile()): void {
  const now = readKeys(file);
  const { [from]: key, ...keys } = now;
  if (Object.hasOwn(now, from)) writeWhole(file, `${JSON.stringify({ ...keys, [to]: key }, null, 2)}\n`);
}

const keyFault = (key: string): string | null =>
  /^[\x21-\x7e]+$/.test(key) ? null : "the key is empty, or has spaces or letters that no header can carry";

/** The key of an endpoint: from the environment when it names a variable, else from keys.json; null when it needs none. Throws SettingsError. */
export function keyOf(endpoint: Endpoint, env: Environment = process.env, file?: string): string | null {
  if (endpoint.keyEnv !== undefined) {
    const key = (env[endpoint.keyEnv] ?? "").trim();
    if (key === "")
      throw new SettingsError(
        "the environment",
        endpoint.keyEnv,
        `not set; endpoint "${endpoint.name}" takes its key from it. Set it where Misstep is started, and start again`,
      );
    const fault = keyFault(key);
    if (fault !== null) throw new SettingsError("the environment", endpoint.keyEnv, fault);
    return key;
  }
  return stored(readKeys(file), endpoint.name);
}

/** Where the key of an endpoint stands. Throws SettingsError when keys.json cannot be read. */
export function keyState(endpoint: Endpoint, env: Environment = process.env, file?: string): KeyState {
  if (endpoint.keyEnv !== undefined)
    return { source: "environment", variable: endpoint.keyEnv, set: (env[endpoint.keyEnv] ?? "").trim() !== "" };
  return stored(readKeys(file), endpoint.name) !== null
    ? { source: "file", set: true }
    : { source: "none", set: false };
}

/** Shorter than this is no secret but a stand-in ("EMPTY"), and would be found in ordinary words. */
const SECRET_FROM = 8;

/** Takes a key out of a text, also where it is escaped for JSON or an address. */
export function redactor(key: string | null, endpoint: string): (text: string) => string {
  if (key === null || key.length < SECRET_FROM) return (text) => text;
  const forms = new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]);
  return (text) => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, `[key of ${endpoint}]`);
    return clean;
  };
}
