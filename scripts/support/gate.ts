import type { IncomingMessage, ServerResponse } from "node:http";
import type { Db } from "@/db/client";
import { cookieOf, sessionCookie } from "@/lib/people/accounts/cookie";
import { AUTH_ENDPOINTS } from "@/lib/people/accounts/endpointNames";
import { secureCookies } from "@/lib/people/accounts/origins";
import { signedIn } from "@/lib/people/accounts/session";
import { accountsOn } from "@/lib/people/accounts/state";
import { NotSignedIn } from "@/lib/people/actor";
import { bearerOf, TokenRefused, tokenActor } from "@/lib/people/tokens/actor";

/** Largest body that is read from somebody who is not signed in, bytes. */
const OPEN_BODY = 16 * 1024;

/** What to do with a request. */
export type Decision =
  | { kind: "pass" }
  | { kind: "sign in"; location: string }
  | { kind: "refuse"; status: 401 | 411 | 413 | 503; message: string };

const PASS: Decision = { kind: "pass" };
const READS = new Set(["GET", "HEAD"]);

/** Paths anybody may read: the two pages by which one comes in, what they are drawn with, and whether the server is up. */
const OPEN_TO_READ =
  /^\/(?:sign-in|invite\/[\w-]+|icon\.svg|favicon\.ico|api\/health|_next\/static\/(?:[\w.~/-]|%5B|%5D)+)$/i;
const OPEN_TO_POST = new Set<string>(AUTH_ENDPOINTS.map((name) => `/api/auth/${name}`));

/** Path of a target, exactly as it was sent; null when a router might read another one (dot segments, backslashes). */
function plainPath(target: string): string | null {
  const path = target.split(/[?#]/, 1)[0] ?? "";
  return URL.canParse(target, "http://x") && new URL(target, "http://x").pathname === path ? path : null;
}

/** What programs call, with a token in place of a session. Nothing else takes one. */
const TAKES_TOKENS = /^\/api\/v1\//;

/** What a token in a request to the API says; null: there is none, or it is not for this path. */
function byToken(db: Db, req: Pick<IncomingMessage, "url" | "headers">): Decision | null {
  const token = bearerOf(req.headers.authorization);
  if (token === null || !TAKES_TOKENS.test(plainPath(req.url ?? "") ?? "")) return null;
  return tokenActor(db, token) === null ? { kind: "refuse", status: 401, message: new TokenRefused().message } : PASS;
}

/** Codes of refusals as the API says them. */
const CODES = { 401: "not_signed_in", 411: "length_required", 413: "too_large", 503: "accounts_off" } as const;

/** Whether a request is served without a session, and what not to take from it. */
function open(req: Pick<IncomingMessage, "method" | "url" | "headers">): Decision | null {
  const path = plainPath(req.url ?? "");
  if (path === null) return null;
  if (READS.has(req.method ?? "")) return OPEN_TO_READ.test(path) ? PASS : null;
  if (req.method !== "POST" || !OPEN_TO_POST.has(path)) return null;
  const length = Number(req.headers["content-length"] ?? Number.NaN);
  if (!Number.isFinite(length)) return { kind: "refuse", status: 411, message: "Say how long the body is." };
  return length > OPEN_BODY ? { kind: "refuse", status: 413, message: "That is too long." } : PASS;
}

/** Where a page one may not see leads: to the sign-in, which comes back to it. */
function signInFor(target: string): string {
  const url = new URL(target, "http://x");
  url.searchParams.delete("_rsc");
  const next = url.pathname + url.search;
  return next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`;
}

/**
 * Who may come in. Without accounts everybody, but only where nobody else can knock (`loopback`); with accounts every page,
 * API route and action but those above needs a session of an enabled person, or a token where programs call. Roles are checked where things are done.
 */
export function decide(
  db: Db,
  req: Pick<IncomingMessage, "method" | "url" | "headers">,
  { loopback }: { loopback: boolean },
): Decision {
  if (!accountsOn(db))
    return loopback
      ? PASS
      : {
          kind: "refuse",
          status: 503,
          message: "Accounts were switched off: switch them on (misstep accounts on), or start Misstep on 127.0.0.1.",
        };
  const anybody = open(req);
  if (anybody !== null) return anybody;
  const token = byToken(db, req);
  if (token !== null) return token;
  if (signedIn(db, cookieOf(req.headers.cookie, sessionCookie(secureCookies()))) !== null) return PASS;
  const target = req.url ?? "/";
  // Data for a page that is open already gets no page for an answer: the browser then loads the address anew, rail and all.
  const part = req.headers.rsc !== undefined;
  if (READS.has(req.method ?? "") && !part && !target.startsWith("/api/"))
    return { kind: "sign in", location: signInFor(target) };
  return { kind: "refuse", status: 401, message: new NotSignedIn().message };
}

/** Lets a request in (true) or answers it (false). */
export function gate(db: Db, req: IncomingMessage, res: ServerResponse, options: { loopback: boolean }): boolean {
  const decision = decide(db, req, options);
  if (decision.kind === "pass") return true;
  res.setHeader("cache-control", "no-store");
  if (decision.kind === "sign in") res.writeHead(303, { location: decision.location }).end();
  else if ((req.url ?? "").startsWith("/api/")) {
    const { status, message } = decision;
    const error = TAKES_TOKENS.test(req.url ?? "") ? { code: CODES[status], message } : message;
    res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  }
  // Exactly this type: the browser's half of an action then throws the sentence.
  else res.writeHead(decision.status, { "content-type": "text/plain" }).end(decision.message);
  // What else would still be sent is not read.
  if (!READS.has(req.method ?? "")) req.resume();
  return false;
}
