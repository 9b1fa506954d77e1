import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/** Row of `setting` that says whether people sign in. */
export const ACCOUNTS_SETTING = "accounts";

/** Whether people sign in; else one picks a name. Read on every request. */
export const accountsOn = (db: Db): boolean =>
  (statement(db, "select value from setting where key = ?").get(ACCOUNTS_SETTING) as { value: string } | undefined)
    ?.value === "true";
