import { z } from "zod";
import { CallError, parse, reply, wholeNumber } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { trajectoryDetail } from "@/db/queries/reader-head";

const query = z.object({ index: wholeNumber });

/** The whole text of an artifact, as inert plain text. */
export async function GET(request: Request, { params }: RouteContext<"/api/trajectories/[id]/artifact">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const { index } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const artifact = trajectoryDetail(getDb(), id)?.artifacts[index];
    if (!artifact) throw new CallError(404, `Trajectory ${id} has no artifact ${index}.`);
    return new Response(artifact.text, {
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox",
      },
    });
  });
}
