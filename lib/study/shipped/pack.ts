import "server-only";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import { type Pack, pack as tarPack } from "tar-stream";
import { type Db, openDb } from "@/db/client";
import { home } from "@/db/home";
import {
  BASE_CHECKPOINT,
  CHECKPOINT_FILES,
  checkpointFolder,
  ownFolder,
  readCard,
} from "@/lib/model/policy/checkpoint";
import { readStudy, type StudyState } from "@/lib/study/state";
import { cleanCopy, NotPackable, traces } from "./clean";
import { ENTRIES, type Manifest } from "./manifest";
import { differenceOf } from "./weights";

/** Most bytes of a shipped archive. */
export const MOST_BYTES = 40 * 1000 ** 2;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
/** The window spans 16 MB: rollouts of one environment lie near each other. */
const PACKING = { params: { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_LGWIN]: 24 } };

/** A checkpoint that selection chose, as its files lie in the home. */
interface Chosen {
  name: string;
  recipe: string;
  seed: number;
}

/** The first seed of every recipe, then the others seed by seed in the order of the design: what is kept first when not all fit. */
function chosenOf(db: Db, study: StudyState): Chosen[] {
  const chosen = (study.made.select?.chosen ?? []).flatMap(({ checkpointId, recipe, seed }) => {
    if (checkpointId === null) return [];
    const name = db.$client.prepare("select name from checkpoint where id = ?").pluck().get(checkpointId) as string;
    return [{ name, recipe, seed }];
  });
  const turn = (c: Chosen) => chosen.filter((other) => other.recipe === c.recipe && other.seed < c.seed).length;
  return chosen.toSorted((a, b) => turn(a) - turn(b));
}

interface PackedCheckpoint {
  name: string;
  weights: "difference" | "whole";
  card: Buffer;
  vocabulary: Buffer;
  data: Buffer;
  /** What it adds to the archive, nearly: numbers hardly pack. */
  bytes: number;
}

function packCheckpoint(name: string): PackedCheckpoint {
  const folder = ownFolder(name);
  const read = (file: string) => fs.readFileSync(path.join(folder, file));
  const whole = read(CHECKPOINT_FILES.weights);
  const base = checkpointFolder(BASE_CHECKPOINT);
  const card = readCard(folder);
  const difference =
    base !== null && card.data.baseWeights === readCard(base).weights
      ? differenceOf(fs.readFileSync(path.join(base, CHECKPOINT_FILES.weights)), whole)
      : null;
  const data = difference ?? whole;
  return {
    name,
    weights: difference ? "difference" : "whole",
    card: read(CHECKPOINT_FILES.card),
    vocabulary: read(CHECKPOINT_FILES.vocabulary),
    data,
    bytes: zlib.brotliCompressSync(data, { params: { [BROTLI_PARAM_QUALITY]: 4 } }).length,
  };
}

const judgesFolder = () => path.join(home().root, "judges");

/** A clean copy of the index at `file`; its rows as they are when it begins. Throws NotPackable. */
function copyIndex(db: Db, file: string): void {
  db.$client.prepare("vacuum into ?").run(file);
  const copy = openDb(file);
  try {
    copy.$client.pragma("journal_mode = OFF");
    copy.$client.pragma("synchronous = OFF");
    copy.$client.pragma("foreign_keys = OFF");
    cleanCopy(copy);
    const left = traces(copy);
    if (left.length > 0)
      throw new NotPackable(`the index names this machine (its paths or its name) in ${left.join(", ")}`);
    copy.$client.exec("vacuum");
  } finally {
    copy.$client.close();
  }
}

const addBytes = (tar: Pack, name: string, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => {
    tar.entry({ name, mode: 0o644, mtime: new Date(0) }, bytes, (error) => (error ? reject(error) : resolve()));
  });

const addFile = async (tar: Pack, name: string, file: string) => {
  const entry = tar.entry({ name, size: fs.statSync(file).size, mode: 0o644, mtime: new Date(0) });
  await pipeline(fs.createReadStream(file), entry);
};

async function writeArchive(
  out: string,
  manifest: Manifest,
  database: string,
  checkpoints: readonly PackedCheckpoint[],
): Promise<void> {
  const tar = tarPack();
  const fill = async () => {
    await addBytes(tar, ENTRIES.manifest, Buffer.from(JSON.stringify(manifest)));
    await addFile(tar, ENTRIES.database, database);
    for (const { name, card, vocabulary, data } of checkpoints) {
      await addBytes(tar, `checkpoints/${name}/${CHECKPOINT_FILES.card}`, card);
      await addBytes(tar, `checkpoints/${name}/${CHECKPOINT_FILES.vocabulary}`, vocabulary);
      await addBytes(tar, `checkpoints/${name}/${CHECKPOINT_FILES.weights}`, data);
    }
    for (const judge of manifest.judges)
      await addFile(tar, `judges/${judge}.json`, path.join(judgesFolder(), `${judge}.json`));
    tar.finalize();
  };
  const filled = fill().catch((error: unknown) => {
    tar.destroy(error as Error);
    throw error;
  });
  await Promise.all([
    filled,
    pipeline(Readable.from(tar), zlib.createBrotliCompress(PACKING), fs.createWriteStream(out)),
  ]);
}

export interface Packed {
  manifest: Manifest;
  bytes: number;
}

/**
 * Packs the study of this home into one archive: its index without what belongs to the machine, the chosen checkpoints and
 * the learned judges. Checkpoints that would make it larger than `most` bytes are left out and named in the manifest.
 * The file appears only when it is whole. Throws NotPackable.
 */
export async function packStudy(
  db: Db,
  out: string,
  { most = MOST_BYTES, checkpoints: named }: { most?: number; checkpoints?: readonly string[] } = {},
): Promise<Packed> {
  const study = readStudy(db);
  const names = named ?? (study === null ? [] : chosenOf(db, study).map((c) => c.name));
  fs.mkdirSync(path.dirname(out), { recursive: true });
  const work = fs.mkdtempSync(path.join(path.dirname(out), ".packing-"));
  try {
    const database = path.join(work, ENTRIES.database);
    copyIndex(db, database);
    const judges = fs.existsSync(judgesFolder())
      ? fs
          .readdirSync(judgesFolder())
          .flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -".json".length)] : []))
          .sort()
      : [];
    const manifest: Manifest = {
      format: "misstep-study-archive/1",
      scale: study?.design.scale ?? null,
      seed: study?.design.seed ?? null,
      packedAt: Date.now(),
      trajectories: db.$client.prepare("select count(*) from trajectory").pluck().get() as number,
      checkpoints: [],
      judges,
      left: [],
    };
    const bare = path.join(work, "bare");
    await writeArchive(bare, manifest, database, []);
    let room = most - fs.statSync(bare).size;
    if (room < 0)
      throw new NotPackable(
        `the index alone takes ${fs.statSync(bare).size} bytes packed, more than the ${most} allowed`,
      );
    const kept: PackedCheckpoint[] = [];
    for (const name of names) {
      const packed = packCheckpoint(name);
      if (packed.bytes > room) manifest.left.push(`the weights of ${name} (they do not fit)`);
      else {
        kept.push(packed);
        room -= packed.bytes;
      }
    }
    manifest.checkpoints = kept.map(({ name, weights }) => ({ name, weights }));
    const whole = path.join(work, "whole");
    await writeArchive(whole, manifest, database, kept);
    fs.renameSync(whole, out);
    return { manifest, bytes: fs.statSync(out).size };
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}
