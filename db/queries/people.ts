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

/** A browser that is signed in. Times as ISO text, as the library keeps them. */
export interface SessionRow {
  id: string;
  personId: number;
  person: string;
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: string;
  expiresAt: string;
}

/** Sessions that last still, newest first: a person's, or everybody's (null). */
export const sessions = (db: Db, personId: number | null, now = Date.now()): SessionRow[] =>
  statement(
    db,
    `select s.id, p.id as personId, p.name as person, s.user_agent as userAgent, s.ip_address as ipAddress,
       s.created_at as createdAt, s.expires_at as expiresAt
     from auth_session s join person p on p.user_id = s.user_id
     where s.expires_at > ? and (? is null or p.id = ?) order by s.created_at desc, s.id`,
  ).all(new Date(now).toISOString(), personId, personId) as SessionRow[];

/** A link that still works. `person`: who it is for; null: whoever has it. */
export interface InvitationRow {
  id: number;
  kind: "invite" | "reset";
  role: string;
  person: string | null;
  createdBy: string;
  createdAt: number;
  expiresAt: number;
}

/** Links that work, newest first. */
export const openInvitations = (db: Db, now = Date.now()): InvitationRow[] =>
  statement(
    db,
    `select i.id, i.kind, coalesce(i.role, p.role) as role, p.name as person, i.created_by as createdBy,
       i.created_at as createdAt, i.expires_at as expiresAt
     from auth_invitation i left join person p on p.id = i.person_id
     where i.used_at is null and i.revoked_at is null and i.expires_at > ? order by i.id desc`,
  ).all(now) as InvitationRow[];
