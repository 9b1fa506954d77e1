import "server-only";
import { z } from "zod";
import { currentActor } from "@/app/actor";
import { type Actor, NotAllowed, NotSignedIn, type Role, requireRole } from "@/lib/people/actor";

/** Something the caller asked for is not there, or the call itself is wrong. Shown to the caller as it is. */
export class CallError extends Error {
  constructor(
    readonly status: 400 | 404 | 409 | 413 | 415 | 507,
    message: string,
  ) {
    super(message);
    this.name = "CallError";
  }
}

/** Whole numbers ≥ 0 out of an address. */
export const wholeNumber = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** Parses what the caller sent, or says what is wrong with it. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new CallError(400, z.prettifyError(parsed.error));
  return parsed.data;
}

/**
 * Answers with JSON (or with the response that was made) to whoever has the role; errors become a status and a sentence.
 * Unexpected ones are logged by Next and say nothing of the inside.
 */
export async function reply(make: (actor: Actor) => unknown, role: Role = "viewer"): Promise<Response> {
  try {
    const actor = await currentActor();
    requireRole(actor, role);
    const made = await make(actor);
    if (made instanceof Response) return made;
    return Response.json(made, { headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (error instanceof CallError) return Response.json({ error: error.message }, { status: error.status });
    if (error instanceof NotAllowed)
      return Response.json({ error: error.message }, { status: error instanceof NotSignedIn ? 401 : 403 });
    throw error;
  }
}

/** Bytes that are sent at once, about. */
const PIECE = 64 * 1024;

/** A text piece by piece, made as fast as it is read: no whole is held. */
export function streamed(pieces: Iterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      let text = "";
      while (text.length < PIECE) {
        const { done, value } = pieces.next();
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += value;
      }
      controller.enqueue(encoder.encode(text));
    },
  });
}
