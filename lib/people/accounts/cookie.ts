import "server-only";
import crypto from "node:crypto";

/** Begin of the names of the library's cookies. */
export const COOKIE_PREFIX = "misstep";

/** Name of the cookie that holds the session. */
export const sessionCookie = (secure: boolean): string => `${secure ? "__Secure-" : ""}${COOKIE_PREFIX}.session_token`;

/** The token in a session cookie (decoded): `token.signature`, HMAC-SHA256 in base64; null when the signature is not ours. */
export function signedToken(value: string | undefined, secret: string): string | null {
  const dot = value?.lastIndexOf(".") ?? -1;
  if (value === undefined || dot < 1) return null;
  const token = value.slice(0, dot);
  const ours = crypto.createHmac("sha256", secret).update(token).digest();
  const given = Buffer.from(value.slice(dot + 1), "base64");
  return given.length === ours.length && crypto.timingSafeEqual(given, ours) ? token : null;
}

/** A cookie out of a Cookie header, decoded; undefined when it is not there or cannot be decoded. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const equals = part.indexOf("=");
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(equals + 1).trim());
    } catch {
      return undefined;
    }
  }
  return undefined;
}
