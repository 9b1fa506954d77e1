import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { tokenHash } from "@/lib/people/accounts/invite";
import { type Actor, NotSignedIn, ROLES, type Role, roleOf } from "@/lib/people/actor";

/** How a token begins, so that people and scanners of secrets know one when they see it. */
export const TOKEN_PREFIX = "mst_";

/** When a token was last used is written this often at most, milliseconds. */
const NOTED_EVERY_MS = 60_000;

/** A token was sent that does not let in. */
export class TokenRefused extends NotSignedIn {
  constructor() {
    super();
    this.message =
      "This token does not work: it is unknown, revoked or too old, or its owner is disabled. Make another under Your account, or with: misstep people token create";
  }
}

/** The token of an Authorization header; null when there is none of a kind that we know. */
export function bearerOf(header: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? null;
}

/** The narrower of two roles. */
export const narrower = (a: Role, b: Role): Role => (ROLES.indexOf(a) <= ROLES.indexOf(b) ? a : b);

const SQL = `select k.id, k.role, k.last_used_at as lastUsedAt, p.id as personId, p.name, p.role as ownRole
  from api_token k join person p on p.id = k.person_id
  where k.token_hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?) and p.disabled_at is null`;

/**
 * Who a token acts as: its owner, with the token's role or the owner's present one, whichever is narrower. null: unknown,
 * revoked, too old, or the owner is disabled. Notes the use, once a minute at most.
 */
export function tokenActor(db: Db, token: string, now = Date.now()): Actor | null {
  if (!token.startsWith(TOKEN_PREFIX)) return null;
  const row = statement(db, SQL).get(tokenHash(token), now) as
    | { id: number; role: string; lastUsedAt: number | null; personId: number; name: string; ownRole: string }
    | undefined;
  if (!row) return null;
  if (row.lastUsedAt === null || now - row.lastUsedAt >= NOTED_EVERY_MS)
    statement(db, "update api_token set last_used_at = ? where id = ?").run(now, row.id);
  return { personId: row.personId, name: row.name, role: narrower(roleOf(row.role), roleOf(row.ownRole)) };
}
