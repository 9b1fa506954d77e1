"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { createQueue, type NewQueue, newQueueSchema, planQueue, type QueuePlan } from "@/lib/review/queue/create";
import { closeQueue, extendQueue, markGold, reopenQueue, writeGuideline } from "@/lib/review/queue/edit";
import { getQueue, ReviewRefused } from "@/lib/review/queue/queue";
import { drawSchema, goldSchema } from "@/lib/review/types";
import { filterRecord, type GivenSource, sourceOf, sourceOfRecord, sourceSchema } from "./sources";

async function refusing<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ReviewRefused) throw new ActionRefused(error.message);
    throw error;
  }
}

const making = z.object({ source: sourceSchema, queue: newQueueSchema });

/** Counts what a new queue would hold; writes nothing. */
export async function planQueueAction(input: {
  source: GivenSource;
  queue: NewQueue;
}): Promise<ActionResult<QueuePlan>> {
  return act(making, input, ({ source, queue }, actor) =>
    refusing(async () => planQueue(getDb(), actor, await sourceOf(source), queue)),
  );
}

/** Makes a queue. */
export async function createQueueAction(input: {
  source: GivenSource;
  queue: NewQueue;
}): Promise<ActionResult<{ queueId: number; items: number }>> {
  return act(making, input, ({ source, queue }, actor) =>
    refusing(async () => {
      const draw = { ...queue.draw, filter: filterRecord(source) };
      const made = createQueue(getDb(), actor, await sourceOf(source), { ...queue, draw });
      revalidatePath("/review");
      return made;
    }),
  );
}

const id = z.number().int().positive();

/** Closes a queue or opens it again. */
export async function setOpenAction(input: { queueId: number; open: boolean }): Promise<ActionResult<object>> {
  return act(z.object({ queueId: id, open: z.boolean() }), input, ({ queueId, open }, actor) =>
    refusing(() => {
      const done = (open ? reopenQueue : closeQueue)(getDb(), actor, queueId);
      revalidatePath("/review", "layout");
      return done;
    }),
  );
}

/** Writes the next version of a queue's guideline. */
export async function writeGuidelineAction(input: {
  queueId: number;
  text: string;
}): Promise<ActionResult<{ version: number }>> {
  return act(z.object({ queueId: id, text: z.string().max(50_000) }), input, ({ queueId, text }, actor) =>
    refusing(() => {
      const done = writeGuideline(getDb(), actor, queueId, text);
      revalidatePath("/review", "layout");
      return done;
    }),
  );
}

/** Draws more items into a queue, from what it was made of. */
export async function extendQueueAction(input: {
  queueId: number;
  strategy: z.input<typeof drawSchema>["strategy"];
  n: number;
  seed: number;
}): Promise<ActionResult<{ items: number; random: number }>> {
  const schema = drawSchema.pick({ strategy: true, n: true, seed: true }).extend({ queueId: id });
  return act(schema, input, ({ queueId, ...draw }, actor) =>
    refusing(async () => {
      const { filter, reserve } = getQueue(getDb(), queueId).settings.draw;
      const done = extendQueue(getDb(), actor, queueId, await sourceOfRecord(filter), { ...draw, reserve, filter });
      revalidatePath("/review", "layout");
      return done;
    }),
  );
}

/** Says the known answer of an item. */
export async function markGoldAction(input: {
  queueId: number;
  itemId: number;
  answer: z.input<typeof goldSchema>;
}): Promise<ActionResult<object>> {
  return act(z.object({ queueId: id, itemId: id, answer: goldSchema }), input, ({ queueId, itemId, answer }, actor) =>
    refusing(() => {
      const done = markGold(getDb(), actor, queueId, itemId, answer);
      revalidatePath("/review", "layout");
      return done;
    }),
  );
}
