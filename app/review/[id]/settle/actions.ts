"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { decide, reopen, SettleRefused } from "@/lib/review/settle/decide";
import { type Adopted, adoptUnanimous } from "@/lib/review/settle/unanimous";

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SettleRefused) throw new ActionRefused(error.message);
    throw error;
  }
}

const decision = z.object({
  item: z.number().int().positive(),
  verdict: z.string().max(20),
  types: z.array(z.number().int().positive()).max(200).optional(),
  comment: z.string().trim().max(10_000).nullable(),
});

/** Settles an item; false: it was settled like that already. */
export async function decideAction(input: z.input<typeof decision>): Promise<ActionResult<boolean>> {
  return act(decision, input, ({ item, ...wanted }, actor) => {
    const changed = refusing(() => decide(getDb(), item, wanted, actor));
    revalidatePath("/review", "layout");
    return changed;
  });
}

const one = z.object({ item: z.number().int().positive() });

/** Takes a settlement back. */
export async function reopenAction(input: z.input<typeof one>): Promise<ActionResult<null>> {
  return act(one, input, ({ item }, actor) => {
    refusing(() => reopen(getDb(), item, actor));
    revalidatePath("/review", "layout");
    return null;
  });
}

const whole = z.object({ queue: z.number().int().positive() });

/** Settles everything that all raters agree on. */
export async function adoptUnanimousAction(input: z.input<typeof whole>): Promise<ActionResult<Adopted>> {
  return act(whole, input, ({ queue }, actor) => {
    const adopted = refusing(() => adoptUnanimous(getDb(), queue, actor));
    revalidatePath("/review", "layout");
    return adopted;
  });
}
