import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { z } from "zod";
import { home } from "@/db/home";

export const dynamic = "force-dynamic";

/** Largest single uploaded file, bytes. Larger ones are imported from a folder on the machine. */
const LIMIT = 2_000_000_000;

const query = z.object({
  batch: z.string().regex(/^[0-9a-f]{16}$/, "batch must be 16 hex digits"),
  path: z
    .string()
    .min(1)
    .max(1024)
    .refine(
      (p) => p.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part)),
      "path must stay inside the upload",
    ),
});

class TooLarge extends Error {}

/** Stores one dropped file below uploads/<batch>/. Answers with the folder, which is then imported like any other. */
export async function POST(request: Request) {
  const parsed = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success)
    return Response.json({ error: parsed.error.issues[0]?.message ?? "bad request" }, { status: 400 });
  if (!request.body) return Response.json({ error: "the request has no body" }, { status: 400 });
  const folder = path.join(home().uploads, parsed.data.batch);
  const target = path.join(folder, ...parsed.data.path.split("/"));
  const partial = `${target}.partial`;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  let bytes = 0;
  try {
    await pipeline(
      Readable.fromWeb(request.body as WebStream<Uint8Array>),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes > LIMIT) throw new TooLarge();
          yield chunk;
        }
      },
      fs.createWriteStream(partial),
    );
  } catch (error) {
    fs.rmSync(partial, { force: true });
    if (error instanceof TooLarge) {
      return Response.json(
        { error: `${parsed.data.path} is larger than 2 GB: name its folder on the server instead` },
        { status: 413 },
      );
    }
    throw error;
  }
  fs.renameSync(partial, target);
  return Response.json({ folder, bytes });
}
