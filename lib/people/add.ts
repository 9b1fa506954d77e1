import "server-only";
import type { Db } from "@/db/client";
import { people } from "@/db/queries/people";
import { statement } from "@/db/statement";
import { type Actor, type Role, requireRole } from "./actor";
import { foldName } from "./name";
import { record } from "./record";
import { PeopleRefused } from "./refused";

/** The role of a person who is added without one: the first is admin, who comes later is annotator. */
export const usualRole = (db: Db): Role =>
  statement(db, "select 1 from person limit 1").get() === undefined ? "admin" : "annotator";

/** Adds a person (their row and its audit row, in the transaction of the caller). Throws PeopleRefused when the name is taken. */
export function insertPerson(db: Db, actor: Actor, { name, role }: { name: string; role: Role }): number {
  if (people(db).some((person) => foldName(person.name) === foldName(name)))
    throw new PeopleRefused(`There is a person named ${name} already.`, "name");
  const id = Number(statement(db, "insert into person (name, role) values (?, ?)").run(name, role).lastInsertRowid);
  record(db, actor, "add", `person:${id}`, { name, role });
  return id;
}

/** Adds a person; `name` has passed nameSchema. Throws PeopleRefused when somebody has the name (in any case). */
export function addPerson(db: Db, actor: Actor, { name, role }: { name: string; role?: Role | undefined }): number {
  requireRole(actor, "admin");
  return db.$client.transaction(() => insertPerson(db, actor, { name, role: role ?? usualRole(db) })).immediate();
}
