import "server-only";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { home } from "@/db/home";
import { PeopleRefused } from "@/lib/people/refused";

const known = new Map<string, string>();

/**
 * The key that signs session cookies: 256 random bits in a file of the home folder (mode 0600), made on first use, never
 * in the database or the log. Taking the file away signs everybody out. Throws PeopleRefused when others may read it.
 */
export function authSecret(file = path.join(home().root, "auth-secret")): string {
  const kept = known.get(file);
  if (kept !== undefined) return kept;
  try {
    fs.writeFileSync(/*turbopackIgnore: true*/ file, `${crypto.randomBytes(32).toString("base64url")}\n`, {
      mode: 0o600,
      flag: "wx",
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const handle = fs.openSync(/*turbopackIgnore: true*/ file, "r");
  let mode: number;
  let secret: string;
  try {
    mode = fs.fstatSync(handle).mode & 0o777;
    secret = fs.readFileSync(handle, "utf8").trim();
  } finally {
    fs.closeSync(handle);
  }
  if (mode & 0o077)
    throw new PeopleRefused(
      `${file} has the mode ${mode.toString(8).padStart(4, "0")}, so others may read the key of the sessions. Run: chmod 600 ${file}, or remove it (everybody signs in again).`,
    );
  if (secret.length < 32)
    throw new PeopleRefused(`${file} holds no key. Remove it: another is made, and everybody signs in again.`);
  known.set(file, secret);
  return secret;
}
