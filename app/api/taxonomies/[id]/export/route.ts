import { CallError, parse, reply, wholeNumber } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { exportTaxonomy } from "@/lib/taxonomy/exchange";

/** A taxonomy version as a file that can be imported again. */
export async function GET(_request: Request, { params }: RouteContext<"/api/taxonomies/[id]/export">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const file = exportTaxonomy(getDb(), id);
    if (!file) throw new CallError(404, `There is no taxonomy version ${id}.`);
    return new Response(`${JSON.stringify(file, null, 2)}\n`, {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="taxonomy-${id}.json"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
