import fs from "node:fs";
import { Readable } from "node:stream";
import { CallError, reply } from "@/app/api/reply";
import { keptBundle } from "@/lib/train/bundle/kept";

/** A kept bundle as .tar.gz. */
export async function GET(_request: Request, { params }: RouteContext<"/api/bundles/[name]">) {
  return reply(async () => {
    const { name } = await params;
    const file = keptBundle(name);
    if (file === null) throw new CallError(404, "There is no such bundle here; make it again on the page Train.");
    return new Response(Readable.toWeb(fs.createReadStream(file)) as ReadableStream<Uint8Array>, {
      headers: {
        "content-type": "application/gzip",
        "content-length": String(fs.statSync(file).size),
        "content-disposition": `attachment; filename="${name}.tar.gz"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
