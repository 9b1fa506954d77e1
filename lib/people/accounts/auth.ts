import "server-only";
import { betterAuth } from "better-auth";
import { APIError } from "better-auth/api";
import { username } from "better-auth/plugins/username";
import { Kysely, SqliteDialect } from "kysely";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { foldName } from "@/lib/people/name";
import { MAX_PASSWORD, MIN_PASSWORD } from "./accept";
import { COOKIE_PREFIX } from "./cookie";
import { readOrigins, secureCookies } from "./origins";
import { authSecret } from "./secret";
import { SESSION_SECONDS } from "./session";

/** Wrong tries from one address that are answered, and the time after which it may try again, seconds. */
export const TRIES = { max: 10, window: 300 };

/** Header by which the server in front tells who is calling; it takes away what callers say themselves. */
export const ADDRESS_HEADER = "x-misstep-address";

/**
 * The library that checks passwords and keeps sessions, on this database. It has a name and a password of everybody, no
 * e-mail, no sign-up: accounts come from invitations (accept.ts). Its own transactions are off: they would hold this
 * process's only connection open across an await, and everything else would end up inside.
 */
function make(db: Db) {
  const origins = readOrigins();
  const dates = { createdAt: "created_at", updatedAt: "updated_at" };
  return betterAuth({
    appName: "Misstep",
    baseURL: origins[0] ?? `http://127.0.0.1:${process.env.PORT ?? 3737}`,
    basePath: "/api/auth",
    secret: authSecret(),
    telemetry: { enabled: false },
    logger: { level: "error" },
    database: {
      db: new Kysely<unknown>({ dialect: new SqliteDialect({ database: db.$client }) }),
      type: "sqlite",
      transaction: false,
    },
    // The guard in front has compared Host and Origin; here the loopback names are told as they were called.
    trustedOrigins: (request) => {
      const host = request?.headers.get("host");
      return host && /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host) ? [...origins, `http://${host}`] : origins;
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD,
      maxPasswordLength: MAX_PASSWORD,
    },
    plugins: [
      username({
        minUsernameLength: 1,
        maxUsernameLength: 60,
        usernameValidator: () => true,
        usernameNormalization: foldName,
        displayUsername: false,
      }),
    ],
    user: { modelName: "auth_user", fields: { emailVerified: "email_verified", ...dates } },
    account: {
      modelName: "auth_account",
      fields: {
        accountId: "account_id",
        providerId: "provider_id",
        userId: "user_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...dates,
      },
    },
    session: {
      modelName: "auth_session",
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...dates,
      },
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
    },
    verification: { modelName: "auth_verification", fields: { expiresAt: "expires_at", ...dates } },
    rateLimit: {
      enabled: true,
      storage: "database",
      modelName: "auth_rate_limit",
      fields: { lastRequest: "last_request" },
      customRules: { "/sign-in/username": TRIES, "/change-password": TRIES },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: secureCookies(origins),
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => {
            const person = statement(db, "select 1 from person where user_id = ? and disabled_at is null").get(
              session.userId,
            );
            if (!person) throw new APIError("UNAUTHORIZED", { message: "disabled" });
          },
        },
      },
    },
  });
}

const made = new WeakMap<Db, ReturnType<typeof make>>();

/** The library on this database, made once a process. */
export function auth(db: Db): ReturnType<typeof make> {
  const found = made.get(db) ?? make(db);
  made.set(db, found);
  return found;
}
