"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { invite } from "@/lib/people/accounts/invite";
import { revokeInvitation } from "@/lib/people/accounts/revokeInvitation";
import { switchOn } from "@/lib/people/accounts/switch";
import { ROLES } from "@/lib/people/actor";
import { addPerson } from "@/lib/people/add";
import { changeRole } from "@/lib/people/changeRole";
import { setDisabled } from "@/lib/people/disable";
import { nameSchema } from "@/lib/people/name";
import { PeopleRefused } from "@/lib/people/refused";

/** Runs; what the people's services refuse becomes an answer. */
function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PeopleRefused) throw new ActionRefused(error.message, error.field);
    throw error;
  }
}

/** Runs a change and lets the pages show it: the rail names people too. */
function changing<T>(run: () => T): T {
  const value = refusing(run);
  revalidatePath("/", "layout");
  return value;
}

const personId = z.number().int().positive();
const role = z.enum(ROLES);
const added = z.object({ name: nameSchema, role });

/** Adds a person. */
export async function addPersonAction(input: z.input<typeof added>): Promise<ActionResult<{ personId: number }>> {
  return act(
    added,
    input,
    (wanted, actor) => changing(() => ({ personId: addPerson(getDb(), actor, wanted) })),
    "admin",
  );
}

const changed = z.object({ personId, role });

/** Gives a person another role. */
export async function changeRoleAction(input: z.input<typeof changed>): Promise<ActionResult<null>> {
  return act(
    changed,
    input,
    (wanted, actor) =>
      changing(() => {
        changeRole(getDb(), actor, wanted);
        return null;
      }),
    "admin",
  );
}

const disabling = z.object({ personId, disabled: z.boolean() });

/** Disables a person, or enables them again. */
export async function setDisabledAction(input: z.input<typeof disabling>): Promise<ActionResult<null>> {
  return act(
    disabling,
    input,
    (wanted, actor) =>
      changing(() => {
        setDisabled(getDb(), actor, wanted);
        return null;
      }),
    "admin",
  );
}

/** A link as the page shows it, once: nobody can read it afterwards. */
export interface MadeLink {
  kind: "invite" | "reset";
  path: string;
  expiresAt: number;
}

const invited = z.union([z.object({ personId }).strict(), z.object({ role }).strict()]);

/** Makes an invitation: for a person, or with a role for whoever has it; for a person with an account, a new password. */
export async function inviteAction(input: z.input<typeof invited>): Promise<ActionResult<MadeLink>> {
  return act(
    invited,
    input,
    (wanted, actor) =>
      changing(() => {
        const { kind, path, expiresAt } = invite(getDb(), actor, wanted);
        return { kind, path, expiresAt };
      }),
    "admin",
  );
}

const one = z.object({ id: z.number().int().positive() });

/** Makes a link stop working. */
export async function revokeInvitationAction(input: z.input<typeof one>): Promise<ActionResult<null>> {
  return act(
    one,
    input,
    ({ id }, actor) =>
      changing(() => {
        revokeInvitation(getDb(), actor, id);
        return null;
      }),
    "admin",
  );
}

/** Switches accounts on; with the invitation of the first admin where nobody can sign in as one yet. The next page asks for it. */
export async function switchAccountsOnAction(): Promise<ActionResult<MadeLink | null>> {
  return act(
    z.undefined(),
    undefined,
    (_, actor) => {
      const made = refusing(() => switchOn(getDb(), actor, actor.personId === null ? undefined : actor.name));
      return made && { kind: made.kind, path: made.path, expiresAt: made.expiresAt };
    },
    "admin",
  );
}
