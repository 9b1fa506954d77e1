import { ZodError } from "zod";
import type { Db } from "@/db/client";
import { type ReviewQueueRow, reviewQueueById } from "@/db/queries/reviewAnswers";
import { statement } from "@/db/statement";
import type { Actor } from "@/lib/people/actor";
import { NotAllowed } from "@/lib/people/actor";
import { PeopleRefused } from "@/lib/people/refused";
import { ReviewRefused } from "@/lib/review/queue/queue";
import { SettleRefused } from "@/lib/review/settle/decide";
import { issuesText, UsageError } from "@/scripts/cli/output";

/** Whoever may run commands here may do everything; answers of their own they have none. */
export const CLI: Actor = { personId: null, name: "cli", role: "admin" };

/** A queue by its number or its name. Throws UsageError. */
export function pickQueue(db: Db, given: string): ReviewQueueRow {
  const named = statement(db, "select id from review_queue where name = ?").get(given) as { id: number } | undefined;
  const id = named?.id ?? (/^[1-9]\d{0,14}$/.test(given) ? Number(given) : null);
  const queue = id === null ? undefined : reviewQueueById(db, id);
  if (!queue)
    throw new UsageError(`there is no review queue "${given}"; misstep review list has their numbers and names`);
  return queue;
}

/** Refusals of review as unusable calls. */
export function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (
      error instanceof ReviewRefused ||
      error instanceof SettleRefused ||
      error instanceof PeopleRefused ||
      error instanceof NotAllowed
    )
      throw new UsageError(error.message);
    if (error instanceof ZodError) throw new UsageError(issuesText(error));
    throw error;
  }
}
