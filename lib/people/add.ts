import "server-only";
import type { Db } from "@/db/client";
import { people } from "@/db/queries/people";
import { statement } from "@/db/statement";
import { type Actor, type Role, requireRole } from "./actor";
import { record } from "./record";
import { PeopleRefused } from "./refused";

/** The role of a person who is added without one: the first is admin, who comes later is annotator. */
export const usualRole = (db: Db): Role =>
  statement(db, "select 1 from person limit 1").get() === undefined ? "admin" : "annotator";

/** Adds a person; `name` has passed nameSchema. Throws PeopleRefused when somebody has the name (in any case). */
export function addPerson(db: Db, actor: Actor, { name, role }: { name: string; role?: Role | undefined }): number {
  requireRole(actor, "admin");
  return db.$client
    .transaction(() => {
      if (people(db).some((person) => person.name.toLowerCase() === name.toLowerCase()))
        throw new PeopleRefused(`There is a person named ${name} already.`, "name");
      const given = role ?? usualRole(db);
      const id = Number(
        statement(db, "insert into person (name, role) values (?, ?)").run(name, given).lastInsertRowid,
      );
      record(db, actor, "add", `person:${id}`, { name, role: given });
      return id;
    })
    .immediate();
}
