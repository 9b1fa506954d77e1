import "server-only";
import path from "node:path";
import type { Db } from "@/db/client";
import { home } from "@/db/home";
import { statement } from "@/db/statement";
import { readEnvironment } from "@/lib/environment/read";
import { storeEnvironment } from "@/lib/environment/store";
import { generate, SUITE_VERSION } from "./generate";
import { parseSuiteName, partOf } from "./splits";
import { writeGenerated } from "./write";

/** Data set of the suite's environments. */
export const TINY_DATASET = "tiny";

/** Below MISSTEP_HOME: task directories of the suite's environments that were used. */
export const suiteFolder = (): string => path.join(home().root, "suite", SUITE_VERSION);

/**
 * Environments of the suite by name, made and taken into the index where they are missing. The same name is the same
 * environment everywhere, byte for byte. Returns their ids by name. Throws on a name that is none of the suite's.
 */
export function ensureTinyEnvironments(db: Db, names: readonly string[]): Map<string, number> {
  const ids = new Map<string, number>();
  for (const name of names) {
    const found = statement(
      db,
      "select id from environment where name = ? and dataset = ? and kind = 'tiny' and digest is not null",
    ).get(name, TINY_DATASET) as { id: number } | undefined;
    ids.set(name, found?.id ?? make(db, name));
  }
  return ids;
}

function make(db: Db, name: string): number {
  const parsed = parseSuiteName(name);
  if (!parsed) throw new Error(`"${name}" is no environment of the suite; they are called tiny-FAMILY-SEED`);
  const { family, seed } = parsed;
  writeGenerated(suiteFolder(), generate(family, seed));
  const directory = path.join(suiteFolder(), name);
  const { id } = storeEnvironment(db, { directory, spec: readEnvironment(directory) }, { dataset: TINY_DATASET });
  statement(db, "update environment set kind = 'tiny', family = ?, seed = ?, split = ? where id = ?").run(
    family,
    seed,
    partOf(seed) === "heldout" ? "heldout" : "training",
    id,
  );
  return id;
}
