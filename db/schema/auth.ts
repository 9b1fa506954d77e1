import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns";
import { person } from "./study";

/*
 * Tables of better-auth (lib/people/accounts/auth.ts names them and their columns to it). It writes times as ISO text and
 * truth as 0 or 1. Only auth_invitation is ours.
 */

/** Who can sign in. A person names their user; name and role are the person's. */
export const authUser = sqliteTable("auth_user", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** The library wants an address of everybody: <id>@people.invalid, which nothing is ever sent to. */
  email: text("email").notNull().unique(),
  emailVerified: integer("email_verified").notNull(),
  image: text("image"),
  /** The person's name in lower case: what one signs in with. */
  username: text("username").unique(),
  createdAt: text("created_at").notNull(),
  updatedAt: text("updated_at").notNull(),
});

/** A way to sign in as a user; here always a password (scrypt, with its salt). */
export const authAccount = sqliteTable(
  "auth_account",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => authUser.id, { onDelete: "cascade" }),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: text("access_token_expires_at"),
    refreshTokenExpiresAt: text("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
  },
  (t) => [index("auth_account_user").on(t.userId)],
);

/** A browser that is signed in. The cookie is the token with a signature by the secret of the home folder. */
export const authSession = sqliteTable(
  "auth_session",
  {
    id: text("id").primaryKey(),
    token: text("token").notNull().unique(),
    userId: text("user_id")
      .notNull()
      .references(() => authUser.id, { onDelete: "cascade" }),
    expiresAt: text("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
  },
  (t) => [index("auth_session_user").on(t.userId)],
);

/** The library's one-time values; unused here, and it wants the table. */
export const authVerification = sqliteTable(
  "auth_verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: text("expires_at").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
  },
  (t) => [index("auth_verification_identifier").on(t.identifier)],
);

/** Tries a client has made of an endpoint. */
export const authRateLimit = sqliteTable("auth_rate_limit", {
  id: text("id").primaryKey(),
  /** Address and endpoint. */
  key: text("key").notNull().unique(),
  count: integer("count").notNull(),
  /** Epoch milliseconds. */
  lastRequest: integer("last_request").notNull(),
});

/** A link by which one person gets an account, or a new password. Works once, until it expires or is revoked. */
export const authInvitation = sqliteTable("auth_invitation", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  /** Hex SHA-256 of the token; the token itself is only in the link. */
  tokenHash: text("token_hash").notNull().unique(),
  /** invite | reset */
  kind: text("kind").notNull(),
  /** What the new person becomes; null where the person is there already. */
  role: text("role"),
  /** Who it is for; null: whoever has the link, under a name of their choice. */
  personId: integer("person_id").references(() => person.id),
  /** Name of whoever made it. */
  createdBy: text("created_by").notNull(),
  createdAt: createdAt(),
  /** Epoch milliseconds, as the next two. */
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
  revokedAt: integer("revoked_at"),
});

/** A token by which a program calls the HTTP API as a person. */
export const apiToken = sqliteTable(
  "api_token",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Hex SHA-256 of the token; the token itself is shown once and kept nowhere. */
    tokenHash: text("token_hash").notNull().unique(),
    personId: integer("person_id")
      .notNull()
      .references(() => person.id),
    name: text("name").notNull(),
    /** What it may do at most; the person's present role bounds it too. */
    role: text("role").notNull(),
    /** Name of whoever made it. */
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    /** Epoch milliseconds, as the next two; null: until it is revoked. */
    expiresAt: integer("expires_at"),
    /** To the minute. */
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  (t) => [index("api_token_person").on(t.personId)],
);
