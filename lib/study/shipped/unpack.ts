import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import { extract } from "tar-stream";
import { openDb } from "@/db/client";
import { projectRoot } from "@/db/home";
import { migrateDb } from "@/db/migrate";
import { BASE_CHECKPOINT, CHECKPOINT_FILES, checkpointFolder } from "@/lib/model/policy/checkpoint";
import { ENTRIES, type Manifest, manifestSchema, writeManifest } from "./manifest";
import { applyDifference } from "./weights";

/** The archive cannot be used. The message names it and says why. */
export class BrokenArchive extends Error {
  constructor(file: string, why: string) {
    super(`${file} is no study of this version: ${why}`);
    this.name = "BrokenArchive";
  }
}

/** Names an entry may have: nothing else is written. */
const NAME = /^(misstep\.db|manifest\.json|judges\/[a-z0-9-]+\.json|checkpoints\/[a-z0-9][a-z0-9.-]*\/[a-z]+\.[a-z]+)$/;

const syncFile = (file: string) => {
  const handle = fs.openSync(file, "r+");
  fs.fsyncSync(handle);
  fs.closeSync(handle);
};

/** Puts the weights of a checkpoint together from its difference; their hash is what the card says. */
function restoreWeights(archive: string, folder: string, name: string, weights: "difference" | "whole"): void {
  const file = path.join(folder, CHECKPOINT_FILES.weights);
  let data: Buffer = fs.readFileSync(file);
  if (weights === "difference") {
    const base = checkpointFolder(BASE_CHECKPOINT);
    if (base === null) throw new BrokenArchive(archive, `${BASE_CHECKPOINT} is missing, which ${name} is told from`);
    data = applyDifference(fs.readFileSync(path.join(base, CHECKPOINT_FILES.weights)), data);
    fs.writeFileSync(file, data);
  }
  const { weights: expected } = JSON.parse(fs.readFileSync(path.join(folder, CHECKPOINT_FILES.card), "utf8"));
  if (createHash("sha256").update(data).digest("hex") !== expected)
    throw new BrokenArchive(archive, `the weights of ${name} are not those its card names`);
}

/** Unpacks an archive into a folder: misstep.db, checkpoints/, judges/. Throws BrokenArchive. */
export async function unpackStudy(archive: string, folder: string): Promise<Manifest> {
  const tar = extract();
  const write = (async () => {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      if (type !== "file" || !NAME.test(name)) throw new BrokenArchive(archive, `it holds "${name}" (${type})`);
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      await pipeline(entry, fs.createWriteStream(file, { mode: 0o644 }));
    }
  })();
  try {
    await Promise.all([
      pipeline(fs.createReadStream(archive), zlib.createBrotliDecompress(), tar),
      write.catch((error: unknown) => {
        tar.destroy(error as Error);
        throw error;
      }),
    ]);
  } catch (error) {
    if (error instanceof BrokenArchive) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // Of the disk, not of the archive.
    if (code?.startsWith("E") && !code.startsWith("ERR_")) throw error;
    throw new BrokenArchive(archive, message);
  }
  const said = path.join(folder, ENTRIES.manifest);
  const read = manifestSchema.safeParse(fs.existsSync(said) ? JSON.parse(fs.readFileSync(said, "utf8")) : null);
  if (!read.success) throw new BrokenArchive(archive, "it does not say what it holds");
  const manifest = read.data;
  for (const { name, weights } of manifest.checkpoints)
    restoreWeights(archive, path.join(folder, "checkpoints", name), name, weights);
  const database = path.join(folder, ENTRIES.database);
  if (!fs.existsSync(database)) throw new BrokenArchive(archive, "it holds no index");
  const db = openDb(database);
  try {
    // Packed by an earlier version, perhaps; the archive itself is the copy.
    migrateDb(db, path.join(projectRoot(), "db/migrations"), { copy: false });
    fs.rmSync(`${database}.lock`, { force: true });
    writeManifest(db, manifest);
    // One file without companions, so that one rename moves all of it.
    db.$client.pragma("journal_mode = DELETE");
  } finally {
    db.$client.close();
  }
  syncFile(database);
  return manifest;
}
