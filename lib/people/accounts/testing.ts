import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Db, openMemoryDb } from "@/db/client";
import { people } from "@/db/queries/people";
import { type Actor, type Role, roleOf } from "@/lib/people/actor";
import { accept } from "./accept";
import { authEndpoint } from "./endpoints";
import { invite } from "./invite";
import { switchOn } from "./switch";

/** The command line, as an actor. */
export const CLI: Actor = { personId: null, name: "cli", role: "admin" };

export const PASSWORD = "correct horse battery";

/** A home folder of its own for the key of the sessions; call `remove` when done. */
export function temporaryHome(): { dir: string; remove: () => void } {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-accounts-"));
  const before = process.env.MISSTEP_HOME;
  process.env.MISSTEP_HOME = dir;
  return {
    dir,
    remove: () => {
      if (before === undefined) delete process.env.MISSTEP_HOME;
      else process.env.MISSTEP_HOME = before;
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

export const tokenOf = (link: { path: string }): string => link.path.slice("/invite/".length);

/** Somebody with an account, made as people make theirs. */
export async function join(db: Db, name: string, role: Role): Promise<Actor & { personId: number }> {
  await accept(db, { token: tokenOf(invite(db, CLI, { role })), name, password: PASSWORD });
  const person = people(db).find((p) => p.name === name);
  if (!person) throw new Error(`${name} did not join`);
  return { personId: person.id, name, role: roleOf(person.role) };
}

/** A database in memory where people sign in. */
export function openWithAccounts(): Db {
  const db = openMemoryDb();
  switchOn(db, CLI);
  return db;
}

/** A POST to an endpoint, as a browser of ours sends it. */
export const post = (
  db: Db,
  endpoint: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  authEndpoint(
    db,
    endpoint,
    new Request(`http://127.0.0.1:3737/api/auth/${endpoint}`, {
      method: "POST",
      headers: {
        host: "127.0.0.1:3737",
        origin: "http://127.0.0.1:3737",
        "content-type": "application/json",
        "x-misstep-address": "10.0.0.7",
        ...headers,
      },
      body: JSON.stringify(body),
    }),
  );

/** The Cookie header a browser sends after an answer. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
