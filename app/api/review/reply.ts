import "server-only";
import { CallError, parse, reply, wholeNumber } from "@/app/api/reply";
import { type Db, getDb } from "@/db/client";
import { type Actor, NotAllowed } from "@/lib/people/actor";
import { ReviewRefused } from "@/lib/review/queue/queue";

const STATUS = { "not-found": 404, closed: 409, gone: 409, "wrong-answer": 400, conflict: 409 } as const;

/** Answers a rater's call: who it is, then what is asked; refusals become a status, a kind and a sentence. */
export const replyToRater = (
  params: Promise<{ queue: string }>,
  run: (db: Db, actor: Actor, queueId: number) => unknown,
): Promise<Response> =>
  reply(async (actor) => {
    const queueId = parse(wholeNumber, (await params).queue);
    try {
      return await run(getDb(), actor, queueId);
    } catch (error) {
      if (error instanceof ReviewRefused)
        return Response.json({ error: error.message, kind: error.kind }, { status: STATUS[error.kind] });
      if (error instanceof NotAllowed) return Response.json({ error: error.message, kind: "person" }, { status: 403 });
      throw error;
    }
  }, "annotator");

/** The JSON body of a call. A form of another site cannot send this type: the second lock behind the Origin. */
export async function bodyOf(request: Request): Promise<unknown> {
  if (!request.headers.get("content-type")?.startsWith("application/json"))
    throw new CallError(400, "Send JSON with the content type application/json.");
  try {
    return await request.json();
  } catch {
    throw new CallError(400, "The body is no JSON.");
  }
}
