"use server";
import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { LOCAL, PERSON_COOKIE } from "@/app/actor";
import { getDb } from "@/db/client";
import { personById } from "@/db/queries/people";
import { endSession } from "@/lib/people/accounts/endSession";
import { accountsOn } from "@/lib/people/accounts/state";
import { ROLES } from "@/lib/people/actor";
import { addPerson } from "@/lib/people/add";
import { nameSchema } from "@/lib/people/name";
import { PeopleRefused } from "@/lib/people/refused";

/** Where people sign in nobody picks a name. */
function onlyWithoutAccounts(): void {
  if (accountsOn(getDb())) throw new ActionRefused("People sign in here; nobody picks a name. Reload the page.");
}

/** How long a picked name is remembered, seconds. */
const REMEMBERED = 400 * 86_400;

async function remember(id: number | null): Promise<void> {
  const jar = await cookies();
  if (id === null) jar.delete(PERSON_COOKIE);
  else jar.set(PERSON_COOKIE, String(id), { httpOnly: true, sameSite: "lax", path: "/", maxAge: REMEMBERED });
  revalidatePath("/", "layout");
}

const pick = z.object({ personId: z.number().int().positive().nullable() });

/** Goes on as a person, or as nobody (null). Only where there are no accounts. */
export async function pickPersonAction(input: z.input<typeof pick>): Promise<ActionResult<null>> {
  return act(
    pick,
    input,
    async ({ personId }) => {
      onlyWithoutAccounts();
      const person = personId === null ? null : personById(getDb(), personId);
      if (person === undefined) throw new ActionRefused("That person is not there any more; reload the page.");
      if (person?.disabledAt) throw new ActionRefused(`${person.name} is disabled. An admin can enable them again.`);
      await remember(personId);
      return null;
    },
    "viewer",
  );
}

const introduction = z.object({ name: nameSchema, role: z.enum(ROLES).optional() });

/** Adds a person and goes on as them. Only where there are no accounts, where everybody at this machine may. */
export async function introduceAction(
  input: z.input<typeof introduction>,
): Promise<ActionResult<{ personId: number }>> {
  return act(
    introduction,
    input,
    async (wanted) => {
      onlyWithoutAccounts();
      try {
        const personId = addPerson(getDb(), LOCAL, wanted);
        await remember(personId);
        return { personId };
      } catch (error) {
        if (error instanceof PeopleRefused) throw new ActionRefused(error.message, error.field);
        throw error;
      }
    },
    "viewer",
  );
}

const session = z.object({ id: z.string().min(1).max(200) });

/** Signs a browser out: one of one's own, or as admin anybody's. */
export async function endSessionAction(input: z.input<typeof session>): Promise<ActionResult<null>> {
  return act(
    session,
    input,
    ({ id }, actor) => {
      try {
        endSession(getDb(), actor, id);
      } catch (error) {
        if (error instanceof PeopleRefused) throw new ActionRefused(error.message);
        throw error;
      }
      revalidatePath("/", "layout");
      return null;
    },
    "viewer",
  );
}
