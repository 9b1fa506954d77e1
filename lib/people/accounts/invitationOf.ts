import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type Role, roleOf } from "@/lib/people/actor";
import { PeopleRefused } from "@/lib/people/refused";
import { tokenHash } from "./invite";

/** A link that works. `person`: who it is for; null: whoever has it. `role`: what they are or become. */
export interface OpenInvitation {
  id: number;
  kind: "invite" | "reset";
  role: Role;
  person: { id: number; name: string; userId: string | null } | null;
  createdBy: string;
  expiresAt: number;
}

/** The invitation of a token. Throws PeopleRefused with the reason when it does not work (any more). */
export function invitationOf(db: Db, token: string, now = Date.now()): OpenInvitation {
  const row = statement(
    db,
    `select i.id, i.kind, coalesce(i.role, p.role) as role, i.person_id as personId, p.name, p.user_id as userId,
       p.disabled_at as disabledAt, i.created_by as createdBy, i.expires_at as expiresAt, i.used_at as usedAt, i.revoked_at as revokedAt
     from auth_invitation i left join person p on p.id = i.person_id where i.token_hash = ?`,
  ).get(tokenHash(token)) as
    | {
        id: number;
        kind: "invite" | "reset";
        role: string;
        personId: number | null;
        name: string | null;
        userId: string | null;
        disabledAt: number | null;
        createdBy: string;
        expiresAt: number;
        usedAt: number | null;
        revokedAt: number | null;
      }
    | undefined;
  const why = !row
    ? "This link is none of ours; was it copied whole?"
    : row.usedAt !== null
      ? "This link was used already; it works once."
      : row.revokedAt !== null || row.disabledAt !== null
        ? "This link was revoked."
        : row.expiresAt <= now
          ? "This link is too old."
          : row.kind === "invite" && row.userId !== null
            ? "You have an account already."
            : null;
  if (!row || why !== null) throw new PeopleRefused(`${why} Ask an admin for another one.`);
  const { id, kind, createdBy, expiresAt } = row;
  return {
    id,
    kind,
    role: roleOf(row.role),
    person: row.personId === null ? null : { id: row.personId, name: row.name ?? "", userId: row.userId },
    createdBy,
    expiresAt,
  };
}
