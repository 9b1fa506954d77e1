import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/** A token of the HTTP API. Times in epoch milliseconds. */
export interface TokenRow {
  id: number;
  personId: number;
  person: string;
  name: string;
  role: string;
  createdBy: string;
  createdAt: number;
  /** null: works until it is revoked. */
  expiresAt: number | null;
  /** To the minute; null: never. */
  lastUsedAt: number | null;
}

/** Tokens that are not revoked, those that are too old among them, newest first: a person's, or everybody's (null). */
export const tokens = (db: Db, personId: number | null): TokenRow[] =>
  statement(
    db,
    `select k.id, p.id as personId, p.name as person, k.name, k.role, k.created_by as createdBy, k.created_at as createdAt,
       k.expires_at as expiresAt, k.last_used_at as lastUsedAt
     from api_token k join person p on p.id = k.person_id
     where k.revoked_at is null and (? is null or p.id = ?) order by k.id desc`,
  ).all(personId, personId) as TokenRow[];
