"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { statement } from "@/db/statement";
import { dropEndpoint, dropModel, putBudgets, putEndpoint, putModel, putRole } from "@/lib/model/chat/edit";
import { keepKey } from "@/lib/model/chat/keepKey";
import { writeKey } from "@/lib/model/chat/keys";
import { addPrice, newPriceSchema, PriceRefused } from "@/lib/model/chat/price";
import { type Probe, probe } from "@/lib/model/chat/probe";
import {
  budgetSchema,
  changeSettings,
  endpointSchema,
  type ModelSettings,
  modelSchema,
  readSettings,
  roleSchema,
  SettingsError,
} from "@/lib/model/chat/settings";
import { ROLE_NAMES } from "@/lib/model/chat/types";
import type { Actor } from "@/lib/people/actor";

const name = z.object({ name: z.string() });

/** Refusals that people should read, out of errors that say file, place and reason. */
function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SettingsError || error instanceof PriceRefused) throw new ActionRefused(error.message);
    throw error;
  }
}

/** Writes the settings with an audit row: when the file cannot be written, the row is not there either. */
function change(
  actor: Actor,
  verb: string,
  subject: string,
  details: unknown,
  make: (now: ModelSettings) => unknown,
): null {
  const db = getDb();
  refusing(() =>
    db.$client
      .transaction(() => {
        statement(db, "insert into audit (actor, verb, subject, details) values (?, ?, ?, ?)").run(
          actor.name,
          verb,
          subject,
          JSON.stringify(details),
        );
        changeSettings(make);
      })
      .immediate(),
  );
  revalidatePath("/settings");
  return null;
}

const endpointInput = z.object({
  /** Name it had; null: a new one. */
  was: z.string().nullable(),
  endpoint: endpointSchema,
  /** Into keys.json; "" takes the key out; null leaves it. Never written anywhere else. */
  key: z.string().max(4096).nullable(),
});

/** Adds or changes an endpoint, and its key in keys.json. */
export async function saveEndpointAction(input: z.input<typeof endpointInput>): Promise<ActionResult<null>> {
  return act(endpointInput, input, ({ was, endpoint, key }, actor) => {
    // The key first: an endpoint that is there without its key would be called without it.
    refusing(() => keepKey(was, endpoint, key));
    const said = { ...endpoint, key: key === null ? "unchanged" : key.trim() === "" ? "removed" : "set" };
    return change(actor, was === null ? "add" : "change", `endpoint:${endpoint.name}`, said, (now) =>
      putEndpoint(now, was, endpoint),
    );
  });
}

/** Removes an endpoint that no model uses, and its key. */
export async function removeEndpointAction(input: { name: string }): Promise<ActionResult<null>> {
  return act(name, input, ({ name: gone }, actor) => {
    change(actor, "remove", `endpoint:${gone}`, {}, (now) => dropEndpoint(now, gone));
    refusing(() => writeKey(gone, null));
    return null;
  });
}

const modelInput = z.object({ was: z.string().nullable(), model: modelSchema });

/** Adds or changes a model. */
export async function saveModelAction(input: z.input<typeof modelInput>): Promise<ActionResult<null>> {
  return act(modelInput, input, ({ was, model }, actor) =>
    change(actor, was === null ? "add" : "change", `model:${model.name}`, model, (now) => putModel(now, was, model)),
  );
}

/** Removes a model that no role uses. Its calls and prices stay. */
export async function removeModelAction(input: { name: string }): Promise<ActionResult<null>> {
  return act(name, input, ({ name: gone }, actor) =>
    change(actor, "remove", `model:${gone}`, {}, (now) => dropModel(now, gone)),
  );
}

const roleInput = z.object({ role: z.enum(ROLE_NAMES), setting: roleSchema.nullable() });

/** Gives a role to a model, or to none. */
export async function saveRoleAction(input: z.input<typeof roleInput>): Promise<ActionResult<null>> {
  return act(roleInput, input, ({ role, setting }, actor) =>
    change(actor, "change", `role:${role}`, setting, (now) => putRole(now, role, setting)),
  );
}

/** Sets what one job may use. */
export async function saveBudgetsAction(input: z.input<typeof budgetSchema>): Promise<ActionResult<null>> {
  return act(budgetSchema, input, (budgets, actor) =>
    change(actor, "change", "budgets", budgets, (now) => putBudgets(now, budgets)),
  );
}

/** Adds a price row; earlier calls that it covers and that had no price get a cost. */
export async function addPriceAction(input: z.input<typeof newPriceSchema>): Promise<ActionResult<{ priced: number }>> {
  return act(newPriceSchema, input, (price, actor) => {
    const { priced } = refusing(() => addPrice(getDb(), price, actor.name));
    revalidatePath("/settings");
    return { priced };
  });
}

/** Asks a model one question and gives back what really came. */
export async function testModelAction(input: { name: string }): Promise<ActionResult<Probe>> {
  return act(name, input, async ({ name: asked }) => {
    try {
      return await probe(getDb(), readSettings(), asked);
    } catch (error) {
      if (error instanceof SettingsError) throw new ActionRefused(error.message);
      throw error;
    }
  });
}
