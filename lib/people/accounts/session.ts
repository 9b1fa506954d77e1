import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type Actor, roleOf } from "@/lib/people/actor";
import { signedToken } from "./cookie";
import { authSecret } from "./secret";

/** How long a session lasts, seconds; then one signs in again. */
export const SESSION_SECONDS = 7 * 86_400;

/** A signed-in actor and the session they came by. */
export interface SignedIn extends Actor {
  personId: number;
  sessionId: string;
}

const SQL = `select s.id as sessionId, p.id as personId, p.name, p.role from auth_session s join person p on p.user_id = s.user_id
  where s.token = ? and s.expires_at > ? and p.disabled_at is null`;

/** Who a session cookie (decoded) belongs to: null when it is not ours, over, revoked, or its person disabled. */
export function signedIn(db: Db, cookie: string | undefined, now = Date.now()): SignedIn | null {
  if (cookie === undefined) return null;
  const token = signedToken(cookie, authSecret());
  if (token === null) return null;
  const row = statement(db, SQL).get(token, new Date(now).toISOString()) as
    | { sessionId: string; personId: number; name: string; role: string }
    | undefined;
  return row ? { ...row, role: roleOf(row.role) } : null;
}

/** Whether a session still lets in: for what stays open longer than a request. */
export const sessionLasts = (db: Db, sessionId: string, now = Date.now()): boolean =>
  statement(
    db,
    `select 1 from auth_session s join person p on p.user_id = s.user_id
     where s.id = ? and s.expires_at > ? and p.disabled_at is null`,
  ).get(sessionId, new Date(now).toISOString()) !== undefined;
