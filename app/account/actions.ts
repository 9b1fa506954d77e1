"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { requirePerson } from "@/lib/people/actor";
import { PeopleRefused } from "@/lib/people/refused";
import { createToken, type MadeToken, newToken } from "@/lib/people/tokens/create";
import { revokeToken } from "@/lib/people/tokens/revoke";

/** Runs a change and lets the page show it; what the people's services refuse becomes an answer. */
function changing<T>(run: () => T): T {
  try {
    const value = run();
    revalidatePath("/account");
    return value;
  } catch (error) {
    if (error instanceof PeopleRefused) throw new ActionRefused(error.message, error.field);
    throw error;
  }
}

const wanted = newToken.omit({ personId: true });

/** Makes a token of one's own for the HTTP API; the answer is the only place it can be read. */
export async function makeTokenAction(input: z.input<typeof wanted>): Promise<ActionResult<MadeToken>> {
  return act(
    wanted,
    input,
    (given, actor) =>
      changing(() => createToken(getDb(), actor, { ...given, personId: requirePerson(actor, "viewer") })),
    "viewer",
  );
}

const one = z.object({ id: z.number().int().positive() });

/** Ends a token of one's own, or as admin anybody's. */
export async function revokeTokenAction(input: z.input<typeof one>): Promise<ActionResult<null>> {
  return act(
    one,
    input,
    ({ id }, actor) =>
      changing(() => {
        revokeToken(getDb(), actor, id);
        return null;
      }),
    "viewer",
  );
}
