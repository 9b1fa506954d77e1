import "server-only";
import { cookies } from "next/headers";
import { getDb } from "@/db/client";
import { statement } from "@/db/statement";
import { type Actor, ROLES, type Role } from "@/lib/people/actor";

/** Cookie of the name that was picked where there are no accounts. */
export const PERSON_COOKIE = "misstep-person";

/** The local user who picked no name: every right, but no answers of their own. */
export const LOCAL: Actor = { personId: null, name: "web", role: "admin" };

/** Who sends this request. */
export async function currentActor(): Promise<Actor> {
  const id = Number((await cookies()).get(PERSON_COOKIE)?.value);
  if (!Number.isSafeInteger(id) || id <= 0) return LOCAL;
  const row = statement(getDb(), "select id, name, role from person where id = ? and disabled_at is null").get(id) as
    | { id: number; name: string; role: string }
    | undefined;
  if (!row) return LOCAL;
  return { personId: row.id, name: row.name, role: ROLES.find((role): role is Role => role === row.role) ?? "viewer" };
}
