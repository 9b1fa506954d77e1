import { z } from "zod";
import { parse, reply, wholeNumber } from "@/app/api/reply";
import type { FindResult } from "@/components/reader/types";
import { getDb } from "@/db/client";
import { eachBody } from "@/db/queries/reader-entries";
import { flagsOf } from "@/db/queries/reader-flags";
import { countMatches, MAX_QUERY, matcher } from "@/lib/text/find";
import { plainLines } from "@/lib/text/glyphs";
import { findInBody } from "@/lib/text/parts";

const MOST = 20_000;
const query = z.object({ q: z.string().max(MAX_QUERY) });

/** Matches of a text in everything a trajectory shows, also in entries that are not loaded. */
export async function GET(request: Request, { params }: RouteContext<"/api/trajectories/[id]/find">) {
  return reply(async (): Promise<FindResult> => {
    const id = parse(wholeNumber, (await params).id);
    const { q } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const re = matcher(q);
    const result: FindResult = { total: 0, capped: false, hits: [] };
    if (!re) return result;
    const db = getDb();
    const add = (entry: number, part: string, count: number) => {
      if (count === 0) return;
      result.hits.push([entry, part, count]);
      result.total += count;
    };
    const reasons = new Map(
      flagsOf(db, id).map((flag) => [flag.entry, flag.reasons.map((r) => plainLines(r.reason ?? ""))]),
    );
    for (const [entry, body] of eachBody(db, id)) {
      for (const [i, lines] of (reasons.get(entry) ?? []).entries()) add(entry, `reason${i}`, countMatches(lines, re));
      for (const [part, count] of findInBody(body, re)) add(entry, part, count);
      if (result.total >= MOST) return { ...result, capped: true };
    }
    return result;
  });
}
