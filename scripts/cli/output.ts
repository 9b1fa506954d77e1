import fs from "node:fs";
import path from "node:path";
import type { ZodError } from "zod";
import type { Db } from "@/db/client";
import { getDb } from "@/db/client";
import { prepareIndex } from "@/scripts/support/prepareIndex";

/** The call cannot be carried out as given: exit code 2. */
export class UsageError extends Error {}

/** What does not fit in a value, all of it in one sentence. */
export const issuesText = (error: ZodError): string =>
  error.issues.map(({ path: at, message }) => (at.length === 0 ? message : `${at.join(".")}: ${message}`)).join("; ");

export interface JsonOption {
  json?: boolean;
}

/**
 * A text with its control characters made visible (ESC as ␛): names, reasons and errors come from models and servers, and
 * must not move a terminal's cursor or set its title.
 */
export const forTerminal = (text: string): string =>
  text.replace(/(?![\t\n])\p{Cc}/gu, (c) => {
    const code = c.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
  });

/** Prints one JSON value, or the lines for people. */
export function print(options: JsonOption, value: unknown, lines: () => string | string[]): void {
  const text = options.json ? JSON.stringify(value, null, 2) : forTerminal([lines()].flat().join("\n"));
  process.stdout.write(`${text}\n`);
}

/** The index of MISSTEP_HOME, brought to the present version. */
export function openIndex(): Db {
  const db = getDb();
  prepareIndex(db);
  return db;
}

/** A path as the caller meant it: relative to where npm was called, not to the project. */
export function callerPath(given: string): string {
  if (given.trim() === "") throw new UsageError("the path is empty; name a file or folder");
  if (given.includes("\0")) throw new UsageError("a path cannot contain a NUL character");
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), given);
}

/** The text of a file that the caller named. Throws UsageError where it cannot be read. */
export function readGiven(given: string): string {
  const file = callerPath(given);
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A positive whole number given as text. */
export function parseId(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`"${text}" is no id; ids are whole numbers, see misstep list`);
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new UsageError(`${text} is too large for an id; see misstep list`);
  return id;
}
