import "server-only";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { home } from "@/db/home";

/** Largest single uploaded file, bytes. Larger ones are imported from a folder on the machine. */
export const UPLOAD_LIMIT = 2_000_000_000;

/** Where an uploaded file goes: the folder of its batch, and its path in it. */
export const uploadPlace = z.object({
  batch: z.string().regex(/^[0-9a-f]{16}$/, "batch must be 16 hex digits"),
  path: z
    .string()
    .min(1, "path is empty")
    .max(1024, "path is longer than 1,024 characters")
    .refine(
      (p) => p.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part)),
      "path must stay inside the upload",
    ),
});

/** Failures of the file system that the sender can understand. */
const REFUSALS: Record<string, [409 | 400 | 507, string]> = {
  EISDIR: [409, "there is a folder of this name in the upload already"],
  ENOTEMPTY: [409, "there is a folder of this name in the upload already"],
  ENOTDIR: [409, "a file of the upload has the name of one of its folders"],
  EEXIST: [409, "a file of the upload has the name of one of its folders"],
  ENAMETOOLONG: [400, "a name in the path is too long"],
  ENOSPC: [507, "the disk is full: free some space, or name the folder on the server instead"],
};

function refused(error: unknown, name: string): unknown {
  const [status, why] = (error instanceof Error && "code" in error && REFUSALS[String(error.code)]) || [];
  return status && why ? new CallError(status, `${name}: ${why}`) : error;
}

async function* limited(chunks: AsyncIterable<Uint8Array>, name: string, count: (bytes: number) => void) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > UPLOAD_LIMIT)
      throw new CallError(413, `${name} is larger than 2 GB: name its folder on the server instead`);
    count(bytes);
    yield chunk;
  }
}

/** Stores one sent file below uploads/<batch>/. Answers with the folder, which is then imported like any other. Throws CallError. */
export async function storeUpload(
  request: Request,
  { batch, path: name }: z.output<typeof uploadPlace>,
): Promise<{ folder: string; bytes: number }> {
  const { uploads } = home();
  const folder = path.join(uploads, batch);
  const target = path.join(folder, ...name.split("/"));
  // Beside the folders of the uploads and under a name of its own: two senders of one name never write into one file.
  const partial = path.join(uploads, `${crypto.randomUUID()}.partial`);
  let bytes = 0;
  try {
    fs.mkdirSync(path.dirname(target), { recursive: true });
    const body = request.body ? Readable.fromWeb(request.body as WebStream<Uint8Array>) : Readable.from([]);
    await pipeline(
      body,
      (chunks: AsyncIterable<Uint8Array>) =>
        limited(chunks, name, (n) => {
          bytes = n;
        }),
      fs.createWriteStream(partial),
    );
    fs.renameSync(partial, target);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw refused(error, name);
  }
  return { folder, bytes };
}
