import { z } from "zod";
import { answerSchema } from "@/lib/review/types";

/** An answer on its way to the server. Kept in the browser until the server has said that it has it. */
export interface Pending {
  itemId: number;
  key: string;
  answer: z.infer<typeof answerSchema>;
  durationMs: number | null;
}

const schema = z.array(
  z.object({
    itemId: z.number(),
    key: z.string(),
    answer: answerSchema,
    durationMs: z.number().nullable(),
  }),
);

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const place = (queueId: number, personId: number) => `misstep-review-${queueId}-${personId}`;

/** What an earlier visit could not send. What cannot be read is left where it is and not sent. */
export function readOutbox(store: Store, queueId: number, personId: number): Pending[] {
  const text = store.getItem(place(queueId, personId));
  if (text === null) return [];
  try {
    return schema.parse(JSON.parse(text)) as Pending[];
  } catch {
    return [];
  }
}

/** Keeps what is not sent yet. A browser that refuses to keep anything still sends. */
export function writeOutbox(store: Store, queueId: number, personId: number, pending: readonly Pending[]): void {
  try {
    if (pending.length === 0) store.removeItem(place(queueId, personId));
    else store.setItem(place(queueId, personId), JSON.stringify(pending));
  } catch {
    // Full or forbidden storage: the answers are in memory, and a line on screen says they are not sent.
  }
}

/** Milliseconds to wait after so many failures in a row: 1 s doubling to 30 s. */
export const retryAfter = (failures: number): number => Math.min(30_000, 1000 * 2 ** Math.max(0, failures - 1));
