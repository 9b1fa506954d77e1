import "server-only";
import type { z } from "zod";
import { type Actor, NotAllowed, type Role, requireRole } from "@/lib/people/actor";
import { currentActor } from "./actor";

/**
 * What a server action gives back: a value, or one sentence of what was wrong and what to do. `field`: the input it is
 * about, as a dotted path, where there is one.
 */
export type ActionResult<T> = { ok: true; value: T } | { ok: false; error: string; field?: string };

/** A refusal that the person who pressed the button should read. */
export class ActionRefused extends Error {
  constructor(
    message: string,
    /** The input it is about. */
    readonly field?: string,
  ) {
    super(message);
  }
}

/**
 * The one shape of a server action: authorise, parse, do, answer with a typed result. Refusals become an answer;
 * anything unexpected is thrown on, so that it reaches the log and the error page. `role`: what the actor needs at least.
 */
export async function act<S extends z.ZodType, T>(
  schema: S,
  input: unknown,
  run: (input: z.output<S>, actor: Actor) => T | Promise<T>,
  role: Role = "admin",
): Promise<ActionResult<T>> {
  try {
    const actor = await currentActor();
    requireRole(actor, role);
    // Who may not do it at all is told so, not what is wrong with their input.
    const parsed = schema.safeParse(input);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return {
        ok: false,
        error: issue ? `${issue.path.join(".") || "input"}: ${issue.message}` : "the input does not parse",
        ...(issue && issue.path.length > 0 ? { field: issue.path.join(".") } : {}),
      };
    }
    return { ok: true, value: await run(parsed.data, actor) };
  } catch (error) {
    if (error instanceof ActionRefused) {
      const { message, field } = error;
      return { ok: false, error: message, ...(field === undefined ? {} : { field }) };
    }
    if (error instanceof NotAllowed) return { ok: false, error: error.message };
    throw error;
  }
}
