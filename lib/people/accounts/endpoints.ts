import "server-only";
import { getIP } from "better-auth/api";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";
import { accept, acceptance, MAX_PASSWORD, MIN_PASSWORD } from "./accept";
import { auth } from "./auth";
import { cookieOf, sessionCookie } from "./cookie";
import { AUTH_ENDPOINTS } from "./endpointNames";
import { secureCookies } from "./origins";
import { signedIn } from "./session";
import { accountsOn } from "./state";

const say = (status: number, error: string, headers: HeadersInit = {}) => {
  const response = Response.json({ error }, { status, headers });
  response.headers.set("cache-control", "no-store");
  return response;
};

/** The library's answer without its body (which names the token), with its cookies. */
function done(answer: Response): Response {
  const response = Response.json({ ok: true }, { headers: { "cache-control": "no-store" } });
  for (const cookie of answer.headers.getSetCookie()) response.headers.append("set-cookie", cookie);
  return response;
}

/** The library's refusal as a sentence. */
function refusedBy(answer: Response, wrong: string): Response {
  const wait = answer.headers.get("x-retry-after");
  if (answer.status === 429)
    return say(
      429,
      `Too many tries from this address. Wait ${Math.ceil(Number(wait ?? 60) / 60)} min, then try again.`,
      {
        "retry-after": wait ?? "60",
      },
    );
  if (answer.status === 403) return say(403, "Requests from other sites are refused.");
  return say(answer.status >= 500 ? 500 : 401, wrong);
}

/** Only wrong tries count: who came in gives theirs back, so that a room full of raters may sign in at once. */
function forgive(db: Db, request: Request): void {
  const address = getIP(request, auth(db).options) ?? "no-trusted-ip";
  statement(db, "update auth_rate_limit set count = max(count - 1, 0) where key = ?").run(
    `${address}|/sign-in/username`,
  );
}

async function signIn(db: Db, request: Request): Promise<Response> {
  const answer = await auth(db).handler(request);
  if (!answer.ok) return refusedBy(answer, "Name or password is wrong, or the account is disabled.");
  forgive(db, request);
  return done(answer);
}

async function changePassword(db: Db, request: Request): Promise<Response> {
  const who = signedIn(db, cookieOf(request.headers.get("cookie") ?? undefined, sessionCookie(secureCookies())));
  if (!who) return say(401, "You are signed out. Sign in again.");
  const given = z.object({ currentPassword: z.string().max(MAX_PASSWORD), newPassword: z.string() }).safeParse(
    await request
      .clone()
      .json()
      .catch(() => null),
  );
  if (!given.success) return say(400, "Give the present and the new password.");
  const { length } = given.data.newPassword;
  if (length < MIN_PASSWORD || length > MAX_PASSWORD)
    return say(400, `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  const body = JSON.stringify({ ...given.data, revokeOtherSessions: true });
  const answer = await auth(db).handler(new Request(request, { body, headers: request.headers }));
  if (!answer.ok) return refusedBy(answer, "The present password is wrong.");
  record(db, who, "change password", `person:${who.personId}`);
  return done(answer);
}

async function join(db: Db, request: Request): Promise<Response> {
  const given = acceptance.safeParse(await request.json().catch(() => null));
  if (!given.success) return say(400, given.error.issues[0]?.message ?? "not understood");
  try {
    return Response.json(
      { ok: true, name: await accept(db, given.data) },
      { headers: { "cache-control": "no-store" } },
    );
  } catch (error) {
    if (error instanceof PeopleRefused) return say(409, error.message);
    throw error;
  }
}

/** Answers a POST to `/api/auth/<endpoint>`. Where nobody signs in nothing answers. */
export async function authEndpoint(db: Db, endpoint: string, request: Request): Promise<Response> {
  if (!accountsOn(db)) return say(404, "Nobody signs in here: accounts are off.");
  // A form of another site can send text, never JSON: the type is the second lock behind the Origin.
  if (!request.headers.get("content-type")?.startsWith("application/json")) return say(415, "send application/json");
  const known = AUTH_ENDPOINTS.find((path) => path === endpoint);
  switch (known) {
    case "sign-in/username":
      return signIn(db, request);
    case "sign-out": {
      const answer = await auth(db).handler(request);
      return answer.ok ? done(answer) : refusedBy(answer, "That did not work; reload the page.");
    }
    case "change-password":
      return changePassword(db, request);
    case "invitation":
      return join(db, request);
    default:
      return say(404, "There is nothing here.");
  }
}
