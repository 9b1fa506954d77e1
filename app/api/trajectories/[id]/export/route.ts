import { z } from "zod";
import { CallError, parse, reply, streamed, wholeNumber } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { toAtif } from "@/lib/trajectory/export/atif";
import { toChatLine } from "@/lib/trajectory/export/chat";
import { loadTrajectory } from "@/lib/trajectory/load";
import type { Trajectory } from "@/lib/trajectory/types";

const query = z.object({ format: z.enum(["json", "atif", "chat"]) });

/** A document piece by piece, its steps one at a time: no second copy of a long trajectory is held as one text. */
function* stepByStep(document: object & { steps: unknown[] }): Generator<string> {
  const { steps, ...rest } = document;
  const head = JSON.stringify(rest).slice(0, -1);
  yield `${head === "{" ? head : `${head},`}"steps":[`;
  for (const [i, step] of steps.entries()) yield `${i > 0 ? "," : ""}\n${JSON.stringify(step)}`;
  yield "\n]}\n";
}

const WRITERS: Record<"json" | "atif" | "chat", { ending: string; type: string; write: Writer }> = {
  json: { ending: "misstep.json", type: "application/json", write: stepByStep },
  atif: {
    ending: "trajectory.json",
    type: "application/json",
    write: (t) => stepByStep(toAtif(t) as { steps: unknown[] }),
  },
  chat: { ending: "chat.jsonl", type: "application/jsonl", write: (t) => [`${toChatLine(t)}\n`].values() },
};
type Writer = (trajectory: Trajectory) => Iterator<string>;

/** The whole trajectory as a file: canonical JSON, ATIF 1.7, or one line of chat JSONL. */
export async function GET(request: Request, { params }: RouteContext<"/api/trajectories/[id]/export">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const { format } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const trajectory = loadTrajectory(getDb(), id);
    if (!trajectory) throw new CallError(404, `There is no trajectory ${id}.`);
    const { ending, type, write } = WRITERS[format];
    return new Response(streamed(write(trajectory)), {
      headers: {
        "content-type": type,
        "content-disposition": `attachment; filename="trajectory-${id}.${ending}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
