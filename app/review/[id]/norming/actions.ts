"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { addNote, advance, type Phase } from "@/lib/review/norming/phases";
import { ReviewRefused } from "@/lib/review/queue/queue";

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ReviewRefused) throw new ActionRefused(error.message);
    throw error;
  }
}

const going = z.object({ queue: z.number().int().positive(), from: z.string().max(20) });

/** Goes on to the next phase of a norming queue. */
export async function advanceAction(input: z.input<typeof going>): Promise<ActionResult<Phase>> {
  return act(going, input, ({ queue, from }, actor) => {
    const phase = refusing(() => advance(getDb(), actor, queue, from));
    revalidatePath("/review", "layout");
    return phase;
  });
}

const note = z.object({
  item: z.number().int().positive(),
  text: z.string().trim().min(1, "write something").max(10_000),
});

/** Adds a note to an item that is discussed. */
export async function noteAction(input: z.input<typeof note>): Promise<ActionResult<null>> {
  return act(
    note,
    input,
    ({ item, text }, actor) => {
      refusing(() => addNote(getDb(), actor, item, text));
      revalidatePath("/review", "layout");
      return null;
    },
    "annotator",
  );
}
