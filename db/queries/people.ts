import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/** A person as lists show them. `role` as stored; `disabledAt`: epoch milliseconds, null while they may act. */
export interface PersonRow {
  id: number;
  name: string;
  role: string;
  /** Account that signs in as this person. */
  userId: string | null;
  disabledAt: number | null;
  createdAt: number;
}

const COLUMNS = "id, name, role, user_id as userId, disabled_at as disabledAt, created_at as createdAt";

/** Everybody, in the order of their names. */
export const people = (db: Db): PersonRow[] =>
  statement(db, `select ${COLUMNS} from person order by name collate nocase, id`).all() as PersonRow[];

/** One person, or undefined. */
export const personById = (db: Db, id: number): PersonRow | undefined =>
  statement(db, `select ${COLUMNS} from person where id = ?`).get(id) as PersonRow | undefined;
