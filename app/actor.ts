import "server-only";
import { cookies } from "next/headers";
import { getDb } from "@/db/client";
import { personById } from "@/db/queries/people";
import { sessionCookie } from "@/lib/people/accounts/cookie";
import { secureCookies } from "@/lib/people/accounts/origins";
import { type SignedIn, signedIn } from "@/lib/people/accounts/session";
import { accountsOn } from "@/lib/people/accounts/state";
import { type Actor, NotSignedIn, roleOf } from "@/lib/people/actor";

/** Cookie of the name that was picked where there are no accounts. */
export const PERSON_COOKIE = "misstep-person";

/** The local user who picked no name: every right, but no answers of their own. */
export const LOCAL: Actor = { personId: null, name: "web", role: "admin" };

/** Who is signed in in this browser, where there are accounts; null when nobody is. */
export async function currentSession(): Promise<SignedIn | null> {
  return signedIn(getDb(), (await cookies()).get(sessionCookie(secureCookies()))?.value);
}

/** Who sends this request; null when people sign in here and this one has not. */
export async function actorIfAny(): Promise<Actor | null> {
  const db = getDb();
  if (accountsOn(db)) return currentSession();
  const id = Number((await cookies()).get(PERSON_COOKIE)?.value);
  const person = Number.isSafeInteger(id) && id > 0 ? personById(db, id) : undefined;
  if (!person || person.disabledAt !== null) return LOCAL;
  return { personId: person.id, name: person.name, role: roleOf(person.role) };
}

/** Who sends this request. Throws NotSignedIn, which is NotAllowed, when people sign in here and this one has not. */
export async function currentActor(): Promise<Actor> {
  const actor = await actorIfAny();
  if (actor === null) throw new NotSignedIn();
  return actor;
}
