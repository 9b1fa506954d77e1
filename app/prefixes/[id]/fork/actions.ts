"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { ForkRefused, openFork } from "@/lib/prefix/fork/open";
import { SandboxFailure } from "@/lib/sandbox/types";

const input = z.object({ prefixId: z.number().int().positive() });

/** What a terminal has until the page that shows it tells its size. */
const FIRST_SIZE = { cols: 100, rows: 30 };

/** Opens a live fork of a kept prefix; gives back its id, for its page. */
export async function openForkAction(raw: { prefixId: number }): Promise<ActionResult<{ forkId: string }>> {
  return act(input, raw, async ({ prefixId }, actor) => {
    try {
      const fork = await openFork(getDb(), prefixId, FIRST_SIZE, actor.name);
      return { forkId: fork.id };
    } catch (error) {
      if (error instanceof ForkRefused || error instanceof SandboxFailure) throw new ActionRefused(error.message);
      throw error;
    }
  });
}
