import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { keepFiles } from "./keep";
import type { Found } from "./read";
import { type EnvironmentSpec, environmentSpec } from "./types";

/** A row of `environment` with its settings read. `spec` null: only trajectories name it. */
export interface StoredEnvironment {
  id: number;
  name: string;
  dataset: string;
  kind: string;
  directory: string | null;
  digest: string | null;
  spec: EnvironmentSpec | null;
}

type Row = Omit<StoredEnvironment, "spec"> & { spec: string };
const COLUMNS = "id, name, dataset, kind, directory, digest, spec";

const stored = (row: Row): StoredEnvironment => ({
  ...row,
  spec: row.digest === null ? null : environmentSpec.parse(JSON.parse(row.spec)),
});

/** An environment by id, or undefined. */
export function environmentById(db: Db, id: number): StoredEnvironment | undefined {
  const row = statement(db, `select ${COLUMNS} from environment where id = ?`).get(id) as Row | undefined;
  return row && stored(row);
}

/** Environments of a name, those with files first. Names are unique only together with a data set. */
export function environmentsByName(db: Db, name: string): StoredEnvironment[] {
  const rows = statement(db, `select ${COLUMNS} from environment where name = ? order by digest is null, id`).all(
    name,
  ) as Row[];
  return rows.map(stored);
}

/** The call does not name exactly one environment. The message says what to do. */
export class NoSuchEnvironment extends Error {}

/** One environment by id, name, or "dataset/name". Throws NoSuchEnvironment. */
export function findEnvironment(db: Db, given: number | string): StoredEnvironment {
  if (typeof given === "number" || /^[1-9]\d*$/.test(given)) {
    const found = environmentById(db, Number(given));
    if (found) return found;
    if (typeof given === "number") throw new NoSuchEnvironment(`there is no environment ${given}`);
  }
  const named = environmentsByName(db, given);
  const withFiles = named.filter((e) => e.digest !== null);
  const [only, other] = withFiles.length > 0 ? withFiles : named;
  if (other) {
    const ids = named.map((e) => `${e.id}${e.dataset ? ` (${e.dataset})` : ""}`).join(", ");
    throw new NoSuchEnvironment(`several environments are named ${given}: ${ids}. Give the id`);
  }
  if (only) return only;
  throw new NoSuchEnvironment(`there is no environment named ${given}; "misstep environment list" shows all`);
}

export interface StoreOptions {
  /** Data set the environments belong to. Without it, one that trajectories name alone under any data set is taken. */
  dataset?: string;
  /** The category names the family (our own environments). */
  familyIsCategory?: boolean;
}

export type Stored = {
  id: number;
  name: string;
  /** `attached`: trajectories named it already, now it has files. `changed`: other files than before. `present`: nothing new. */
  status: "added" | "attached" | "changed" | "present";
};

function existing(db: Db, name: string, dataset: string | undefined): StoredEnvironment | undefined {
  const named = environmentsByName(db, name);
  const exact = named.find((e) => e.dataset === (dataset ?? ""));
  if (exact || dataset !== undefined) return exact;
  const bare = named.filter((e) => e.digest === null);
  return bare.length === 1 && named.length === 1 ? bare[0] : undefined;
}

/**
 * Takes a read task directory into the index: keeps its files by digest, then writes its row (name and data set are its
 * identity; substitutions of a person stay). Throws EnvironmentRefused when the files changed meanwhile.
 */
export function storeEnvironment(db: Db, found: Found, options: StoreOptions = {}): Stored {
  const { spec, directory } = found;
  const family = options.familyIsCategory ? spec.category : null;
  keepFiles(directory, spec.digest);
  const write = (): Stored => {
    const row = existing(db, spec.name, options.dataset);
    if (!row) {
      const id = Number(
        statement(
          db,
          "insert into environment (name, dataset, kind, family, directory, spec, digest) values (?, ?, ?, ?, ?, ?, ?)",
        ).run(spec.name, options.dataset ?? "", spec.kind, family, directory, JSON.stringify(spec), spec.digest)
          .lastInsertRowid,
      );
      return { id, name: spec.name, status: "added" };
    }
    const same = row.digest === spec.digest;
    const kept = { ...spec, substitutions: row.spec?.substitutions ?? {} };
    if (!same || row.directory !== directory)
      statement(
        db,
        "update environment set kind = ?, family = ifnull(family, ?), directory = ?, spec = ?, digest = ? where id = ?",
      ).run(spec.kind, family, directory, JSON.stringify(kept), spec.digest, row.id);
    return { id: row.id, name: spec.name, status: same ? "present" : row.digest === null ? "attached" : "changed" };
  };
  return db.$client.transaction(write).immediate();
}

/** Replaces a base image of an environment by "base" or another image; null takes the substitution back. */
export function substitute(db: Db, id: number, image: string, by: string | null): void {
  db.$client
    .transaction(() => {
      const row = environmentById(db, id);
      if (!row?.spec) throw new NoSuchEnvironment(`environment ${id} has no files; import its task directory first`);
      const { [image]: _, ...rest } = row.spec.substitutions;
      const spec = { ...row.spec, substitutions: by === null ? rest : { ...rest, [image]: by } };
      statement(db, "update environment set spec = ? where id = ?").run(JSON.stringify(spec), id);
    })
    .immediate();
}
