import fs from "node:fs";
import { Readable } from "node:stream";
import { CallError, parse, reply, wholeNumber } from "@/app/api/reply";
import { weightsFile } from "@/app/models/weights";
import { getDb } from "@/db/client";
import { checkpointRow } from "@/db/queries/checkpoints";

/** The weights of an embedded checkpoint as its safetensors file. */
export async function GET(_request: Request, { params }: RouteContext<"/api/models/[id]/weights">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const model = checkpointRow(getDb(), id);
    if (!model) throw new CallError(404, `There is no model ${id}.`);
    const file = weightsFile(model);
    if (file === null) throw new CallError(404, `The weights of ${model.name} are not on this machine.`);
    return new Response(Readable.toWeb(fs.createReadStream(file)) as ReadableStream<Uint8Array>, {
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(fs.statSync(file).size),
        "content-disposition": `attachment; filename="model-${id}.safetensors"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
