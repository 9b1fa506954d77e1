import { z } from "zod";
import { CallError, parse, reply, wholeNumber } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { measurementBundle } from "@/lib/evaluate/behavior/bundle";
import { INTERVAL_METHODS } from "@/lib/evaluate/stats/bootstrap";

const query = z.object({ interval: z.enum(INTERVAL_METHODS).optional() });

/** A measurement as one HTML file that reads without a server. */
export async function GET(request: Request, { params }: RouteContext<"/api/measurements/[id]/bundle">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const { interval } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const html = measurementBundle(getDb(), id, interval);
    if (html === null) throw new CallError(404, `There is no measurement ${id}.`);
    return new Response(html, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-disposition": `attachment; filename="measurement-${id}.html"`,
        "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
