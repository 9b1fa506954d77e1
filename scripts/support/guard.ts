import crypto from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Host without its port, lower case. */
function hostOf(value: string): string {
  return value.toLowerCase().replace(/:\d+$/, "");
}

/** What a guard goes by. `origins`: addresses people reach the server under besides the loopback ones (no wildcards). */
export interface GuardOptions {
  dev: boolean;
  origins: readonly string[];
}

/**
 * Why a request must not be served, or null. The Host must name this machine or one of our origins (a page of another site
 * cannot reach us by DNS rebinding), and whoever sends an Origin must be ourselves (no other site can call actions or the API).
 */
export function refusal(req: Pick<IncomingMessage, "headers" | "url">, origins: readonly string[] = []): string | null {
  const host = req.headers.host?.toLowerCase();
  const local = host !== undefined && LOOPBACK.has(hostOf(host));
  if (host === undefined || !(local || origins.some((origin) => new URL(origin).host === host)))
    return origins.length === 0
      ? "This server only answers to 127.0.0.1 and localhost."
      : `This server only answers to ${origins.join(", ")}, 127.0.0.1 and localhost.`;
  const origin = req.headers.origin;
  if (origin !== undefined && !origins.includes(origin) && !(local && origin === `http://${host}`))
    return "Requests from other sites are refused.";
  const site = req.headers["sec-fetch-site"];
  if (site === "cross-site" && (req.url ?? "").startsWith("/api/")) return "Requests from other sites are refused.";
  return null;
}

/** Content security policy of every page: our own scripts with this nonce, nothing from anywhere else. */
export function policy(nonce: string, dev: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * A request target the router can read: a path. Proxies' absolute form and `*` are not for us, nor are percent signs that
 * stand for no text: routes would fail on them, each in its own way.
 */
export function isPath(target: string | undefined): boolean {
  const [path = ""] = (target ?? "").split(/[?#]/);
  if (!/^\/(?!\/)/.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** What a proxy says of a request and our own words to Next: nobody outside may say them. */
const OURS = ["x-forwarded-host", "x-forwarded-proto", "x-misstep-address", "x-nonce"];

/**
 * The address of whoever calls, for counting tries. A proxy on this machine says it last in X-Forwarded-For; from anybody
 * else that header is a claim.
 */
export function addressOf(req: Pick<IncomingMessage, "headers">, remote: string, origins: readonly string[]): string {
  const direct = remote.replace(/^::ffff:/, "");
  const behind = origins.length > 0 && (direct === "127.0.0.1" || direct === "::1");
  const said = behind ? [req.headers["x-forwarded-for"] ?? []].flat().join(",").split(",").pop()?.trim() : undefined;
  return said || direct;
}

/** What pages and the API may be asked with. Others (TRACE, CONNECT) are no request to Next at all, which fails on them. */
const METHODS = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"];
export const isMethod = (method: string | undefined): boolean => METHODS.includes(method ?? "");

/** Answers a request that must not be served (false), else adds the security headers (true). */
export function guard(req: IncomingMessage, res: ServerResponse, { dev, origins }: GuardOptions): boolean {
  if (!isMethod(req.method)) {
    res
      .writeHead(405, { "content-type": "text/plain; charset=utf-8", allow: METHODS.join(", ") })
      .end(`This server takes ${METHODS.join(", ")}.\n`);
    return false;
  }
  if (!isPath(req.url)) {
    res
      .writeHead(400, { "content-type": "text/plain; charset=utf-8" })
      .end("The address is no path that can be read.\n");
    return false;
  }
  const why = refusal(req, origins);
  if (why !== null) {
    res.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(`${why}\n`);
    return false;
  }
  for (const name of OURS) delete req.headers[name];
  req.headers["x-misstep-address"] = addressOf(req, req.socket.remoteAddress ?? "", origins);
  // A proxy may have put its own name for us into Host; Next compares it with the Origin once more.
  if (req.headers.origin && origins.includes(req.headers.origin)) req.headers.host = new URL(req.headers.origin).host;
  const nonce = crypto.randomBytes(16).toString("base64");
  const value = policy(nonce, dev);
  // Next reads the nonce for its own scripts from the request's policy; the layout reads x-nonce for the theme script.
  req.headers["content-security-policy"] = value;
  req.headers["x-nonce"] = nonce;
  res.setHeader("content-security-policy", value);
  res.setHeader("x-content-type-options", "nosniff");
  res.setHeader("referrer-policy", "no-referrer");
  res.setHeader("cross-origin-opener-policy", "same-origin");
  res.setHeader("cross-origin-resource-policy", "same-origin");
  return true;
}
