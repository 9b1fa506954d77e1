import "server-only";
import { currentActor } from "@/app/actor";
import type { Db } from "@/db/client";
import { accountsOn } from "@/lib/people/accounts/state";
import { type Actor, NotAllowed } from "@/lib/people/actor";
import { bearerOf, TokenRefused, tokenActor } from "@/lib/people/tokens/actor";

/**
 * Who calls: the owner of the token that is sent, else whoever the browser's cookies say. Where people sign in, a cookie
 * alone changes nothing without the browser saying which page asks: other sites' pages are refused before (the guard), and
 * what is no browser has a token. Throws NotAllowed (NotSignedIn, TokenRefused).
 */
export async function callerOf(db: Db, request: Request): Promise<Actor> {
  const token = bearerOf(request.headers.get("authorization"));
  if (token !== null) {
    const actor = tokenActor(db, token);
    if (actor === null) throw new TokenRefused();
    return actor;
  }
  const actor = await currentActor();
  if (request.method !== "GET" && accountsOn(db) && request.headers.get("origin") === null)
    throw new NotAllowed("Send the header Origin with a session, or a token instead: Authorization: Bearer mst_…");
  return actor;
}
