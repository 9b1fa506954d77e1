import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { home, projectRoot } from "@/db/home";
import { type Card, cardSchema } from "./card";
import { BASE_CHECKPOINT } from "./names";
import type { PolicyConfig, Weight } from "./types";
import { Vocabulary } from "./vocabulary";
import { readWeights } from "./weights";

/** Files of a checkpoint in its folder. */
export const CHECKPOINT_FILES = {
  weights: "model.safetensors",
  vocabulary: "vocabulary.json",
  card: "card.json",
} as const;

export { BASE_CHECKPOINT };

const shippedFolder = (name: string): string =>
  path.join(/*turbopackIgnore: true*/ projectRoot(), "lib/model/base", name);
/** Where checkpoints made on this machine lie. */
export const ownFolder = (name: string): string =>
  path.join(/*turbopackIgnore: true*/ home().root, "checkpoints", name);

/** Where the files of a checkpoint are, own ones before shipped ones; null when there are none. */
export function checkpointFolder(name: string): string | null {
  // A name that is a path would leave the folders.
  if (!/^[a-z0-9][a-z0-9.-]*$/.test(name)) return null;
  return (
    [ownFolder(name), shippedFolder(name)].find((dir) => fs.existsSync(path.join(dir, CHECKPOINT_FILES.card))) ?? null
  );
}

/** A checkpoint of the embedded policy, ready to sample from. */
export interface Checkpoint {
  name: string;
  config: PolicyConfig;
  weights: Weight[];
  vocabulary: Vocabulary;
  card: Card;
}

function readJson(folder: string, file: string): unknown {
  const full = path.join(folder, file);
  try {
    return JSON.parse(fs.readFileSync(full, "utf8"));
  } catch (error) {
    throw new Error(`${full} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the card of a folder. Throws with the file's name when it is none. */
export function readCard(folder: string): Card {
  const read = cardSchema.safeParse(readJson(folder, CHECKPOINT_FILES.card));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Error(
    `${path.join(folder, CHECKPOINT_FILES.card)} is no card: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** Loads a checkpoint by name. Throws when it is not on this machine or one of its files is broken. */
export async function loadCheckpoint(name: string): Promise<Checkpoint> {
  const folder = checkpointFolder(name);
  if (folder === null)
    throw new Error(`the weights of checkpoint "${name}" are not on this machine; /models lists what was made`);
  const card = readCard(folder);
  const vocabulary = Vocabulary.parse(readJson(folder, CHECKPOINT_FILES.vocabulary));
  if (vocabulary.size !== card.config.vocab)
    throw new Error(`${folder}: the vocabulary has ${vocabulary.size} entries, the model ${card.config.vocab}`);
  const { weights } = await readWeights(path.join(folder, CHECKPOINT_FILES.weights));
  return { name, config: card.config, weights, vocabulary, card };
}

/** Puts a checkpoint into the index, or brings its card up to date. Returns its id. */
export function registerCheckpoint(db: Db, card: Card): number {
  const s = db.$client;
  const now = JSON.stringify(card);
  const row = s.prepare("select id, card from checkpoint where name = ?").get(card.name) as
    | { id: number; card: string }
    | undefined;
  if (!row)
    return Number(
      s.prepare("insert into checkpoint (name, kind, card) values (?, 'embedded', ?)").run(card.name, now)
        .lastInsertRowid,
    );
  if (row.card !== now) s.prepare("update checkpoint set kind = 'embedded', card = ? where id = ?").run(now, row.id);
  return row.id;
}

/** Registers the checkpoint that comes with the product. Safe to call at every start. */
export function registerShipped(db: Db): void {
  const folder = checkpointFolder(BASE_CHECKPOINT);
  if (folder !== null) registerCheckpoint(db, readCard(folder));
}
