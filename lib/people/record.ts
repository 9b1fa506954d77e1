import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Actor } from "./actor";

/** Writes the audit row of a change to people, inside the transaction of the change. */
export function record(db: Db, actor: Actor, verb: string, subject: string, details: unknown = {}): void {
  statement(db, "insert into audit (actor, verb, subject, details) values (?, ?, ?, ?)").run(
    actor.name,
    verb,
    subject,
    JSON.stringify(details),
  );
}
