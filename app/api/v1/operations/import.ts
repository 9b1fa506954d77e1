import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { storeUpload, UPLOAD_LIMIT, uploadPlace } from "@/app/api/upload/store";
import { operation } from "@/app/api/v1/operation";
import { count, queued } from "@/app/api/v1/schemas";
import { enqueue } from "@/lib/jobs/queue";
import { confine, importTitle } from "@/lib/jobs/roots";
import { formatBytes } from "@/lib/text/format";

const place = z.strictObject({
  path: z.string().trim().min(1).max(4096).describe("file, folder or archive on the server, inside the allowed roots"),
});

/** Throws CallError. */
function confined(path: string): string {
  const result = confine(path);
  if (!result.ok) throw new CallError(400, result.reason);
  return result.path;
}

export const importOperations = [
  operation({
    id: "startImport",
    method: "POST",
    path: "/imports",
    tag: "import",
    role: "admin",
    summary: "Queue the import of a file, folder or archive; wrong steps are flagged on the way",
    description: "What was refused: GET /jobs/{id}/files.",
    body: place,
    status: 202,
    response: queued,
    run: ({ db, actor, body }) => {
      const path = confined(body.path);
      return {
        jobId: enqueue(db, {
          kind: "import",
          title: importTitle(path),
          params: { path, studyId: 1 },
          requestedBy: actor.name,
        }),
      };
    },
  }),
  operation({
    id: "upload",
    method: "POST",
    path: "/uploads",
    tag: "import",
    role: "admin",
    summary: "Store one file in the uploads of the server, to be imported with POST /imports",
    description: `The body is the file's bytes, ${formatBytes(UPLOAD_LIMIT)} at most. Files of one batch lie in one folder, which the answer names.`,
    query: z.strictObject(uploadPlace.shape),
    bytes: true,
    status: 201,
    response: z.object({ folder: z.string(), bytes: count }),
    run: ({ request, query }) => storeUpload(request, query),
  }),
];
