import crypto from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Host without its port, lower case. */
function hostOf(value: string): string {
  return value.toLowerCase().replace(/:\d+$/, "");
}

/**
 * Why a request must not be served, or null. The Host must name this machine (a page of another site cannot reach us by
 * DNS rebinding), and whoever sends an Origin must be ourselves (no other site can call actions or the API).
 */
export function refusal(req: Pick<IncomingMessage, "headers" | "url">): string | null {
  const host = req.headers.host;
  if (!host || !LOOPBACK.has(hostOf(host))) return "This server only answers to 127.0.0.1 and localhost.";
  const origin = req.headers.origin;
  if (origin !== undefined && origin !== `http://${host}`) return "Requests from other sites are refused.";
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

/** A request target the router can read: a path. Proxies' absolute form and `*` are not for us. */
export const isPath = (target: string | undefined): boolean => /^\/(?!\/)/.test(target ?? "");

/** Answers a request that must not be served (false), else adds the security headers (true). */
export function guard(req: IncomingMessage, res: ServerResponse, options: { dev: boolean }): boolean {
  if (!isPath(req.url)) {
    res.writeHead(400, { "content-type": "text/plain; charset=utf-8" }).end("The address is not a path.\n");
    return false;
  }
  const why = refusal(req);
  if (why !== null) {
    res.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(`${why}\n`);
    return false;
  }
  const nonce = crypto.randomBytes(16).toString("base64");
  const value = policy(nonce, options.dev);
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
