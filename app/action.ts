import "server-only";
import type { z } from "zod";

/** What a server action gives back: a value, or one sentence of what was wrong and what to do. */
export type ActionResult<T> = { ok: true; value: T } | { ok: false; error: string };

/** A refusal that the person who pressed the button should read. */
export class ActionRefused extends Error {}

/** Who acts: without accounts there is one local user with every right. */
export interface Actor {
  name: string;
}

const LOCAL: Actor = { name: "web" };

/**
 * The one shape of a server action: parse, authorise, do, answer with a typed result. Refusals become an answer;
 * anything unexpected is thrown on, so that it reaches the log and the error page.
 */
export async function act<S extends z.ZodType, T>(
  schema: S,
  input: unknown,
  run: (input: z.output<S>, actor: Actor) => T | Promise<T>,
): Promise<ActionResult<T>> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      ok: false,
      error: issue ? `${issue.path.join(".") || "input"}: ${issue.message}` : "the input does not parse",
    };
  }
  try {
    return { ok: true, value: await run(parsed.data, LOCAL) };
  } catch (error) {
    if (error instanceof ActionRefused) return { ok: false, error: error.message };
    throw error;
  }
}
