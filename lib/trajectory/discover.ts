import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { classify } from "./classify";
import { openArchive } from "./files/archive";
import { entryReason, headOf, ioReason } from "./files/disk";
import { ReadError } from "./files/file-set";
import { ArchiveTree, DiskTree, type Tree } from "./files/tree";
import { folderBytes, folderKind } from "./group";
import type { Discovered, ImportUnit } from "./unit";

export interface DiscoverOptions {
  /** Stop after this many units. */
  limit?: number;
}

/** Folders deeper than this are not walked. */
const MAX_DEPTH = 64;
const NEVER = new Set([".git", "node_modules", "__pycache__", ".venv", ".hg", ".svn"]);

interface Place {
  tree: Tree;
  /** Put before names to make keys: "" or "archive.zip!/". */
  prefix: string;
  /** Archive the tree is in, else null. */
  archive: string | null;
  root: string;
}

/**
 * Walks a file, a folder or an archive in order of names and says what is there to read: units, things that cannot be
 * read, and files that are no trajectories. Opens files for their first bytes only; symbolic links are not followed.
 */
export async function* discover(root: string, options: DiscoverOptions = {}): AsyncGenerator<Discovered> {
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const found of walkRoot(path.resolve(root))) {
    if (found.kind === "unit") {
      if (left <= 0) return;
      left -= 1;
    }
    yield found;
  }
}

async function* walkRoot(root: string): AsyncGenerator<Discovered> {
  try {
    const real = realpathSync(root);
    if (statSync(real).isDirectory()) {
      yield* walkFolder({ tree: new DiskTree(real), prefix: "", archive: null, root: real }, "", 0);
      return;
    }
    const name = path.basename(root);
    if (!statSync(real).isFile()) {
      yield refusal(name, real, "neither a file nor a folder", null);
      return;
    }
    const bytes = statSync(real).size;
    const found = await classify(name, bytes, async (length) => headOf(real, length));
    if (found.kind === "archive") yield* walkArchive(real, name);
    else if (found.kind === "refuse") yield refusal(name, real, found.reason, found.hint);
    else yield { kind: "unit", unit: { key: name, path: real, member: null, bytes } };
  } catch (error) {
    yield refusal(path.basename(root), root, ioReason(error), null);
  }
}

async function* walkFolder(place: Place, folder: string, depth: number): AsyncGenerator<Discovered> {
  const at = (name: string) => ({
    key: place.prefix + folder + name,
    path: place.archive ?? path.join(place.root, folder, name),
  });
  if (depth > MAX_DEPTH) {
    yield { kind: "skipped", skip: { ...at(""), reason: `folders nest deeper than ${MAX_DEPTH} levels` } };
    return;
  }
  let nodes: Awaited<ReturnType<Tree["list"]>>;
  try {
    nodes = await place.tree.list(folder);
  } catch (error) {
    yield refusal(place.prefix + folder || path.basename(place.root), at("").path, entryReason(folder, error), null);
    return;
  }
  let kind: Awaited<ReturnType<typeof folderKind>> = null;
  try {
    kind = await folderKind(place.tree, folder, nodes);
  } catch (error) {
    // The files stand alone then; the one that could not be read is refused below.
    if (!(error instanceof ReadError)) throw error;
  }
  if (kind === "harbor-trial" || kind === "openhands-v1" || kind === "openhands-v0" || kind === "terminal-bench") {
    yield { kind: "unit", unit: await folderUnit(place, folder) };
    return;
  }
  if (kind === "harbor-task") {
    yield { kind: "skipped", skip: { ...at(""), reason: "a Harbor task, no trajectory" } };
    return;
  }
  for (const node of nodes) {
    const where = at(node.name);
    if (node.kind === "skip") yield { kind: "skipped", skip: { ...where, reason: node.reason } };
    else if (node.kind === "broken") yield refusal(where.key, where.path, node.reason, null);
    else if (node.kind === "folder") {
      if (NEVER.has(node.name)) yield { kind: "skipped", skip: { ...where, reason: "never holds trajectories" } };
      else yield* walkFolder(place, `${folder}${node.name}/`, depth + 1);
    } else if (kind === "harbor-job" && ["config.json", "result.json", "lock.json"].includes(node.name)) {
      yield {
        kind: "skipped",
        skip: { ...where, reason: "about the whole Harbor job; its trials are read from their folders" },
      };
    } else if (kind === "terminal-bench-run" && node.name === "results.json") {
      yield {
        kind: "skipped",
        skip: { ...where, reason: "about the whole run; its trials are read from their folders" },
      };
    } else yield* walkFile(place, folder + node.name, node.bytes, where);
  }
}

async function* walkFile(
  place: Place,
  name: string,
  bytes: number,
  where: { key: string; path: string },
): AsyncGenerator<Discovered> {
  try {
    const found = await classify(path.posix.basename(name), bytes, (length) => place.tree.head(name, length));
    if (found.kind === "skip") yield { kind: "skipped", skip: { ...where, reason: found.reason } };
    else if (found.kind === "refuse") yield refusal(where.key, where.path, found.reason, found.hint);
    else if (found.kind === "archive" || (place.archive !== null && /\.eval$/i.test(name))) {
      if (place.archive === null) yield* walkArchive(where.path, where.key);
      else
        yield refusal(
          where.key,
          where.path,
          "an archive inside an archive is not opened",
          "Unpack the outer archive and import the folder.",
        );
    } else yield { kind: "unit", unit: { ...where, member: place.archive === null ? null : name, bytes } };
  } catch (error) {
    yield refusal(where.key, where.path, ioReason(error), error instanceof ReadError ? error.hint : null);
  }
}

async function* walkArchive(file: string, key: string): AsyncGenerator<Discovered> {
  try {
    const files = openArchive(file);
    await files.entries();
    for (const { name, reason, hint } of await files.problems())
      yield refusal(name === "" ? key : `${key}!/${name}`, file, reason, hint);
    yield* walkFolder({ tree: new ArchiveTree(files), prefix: `${key}!/`, archive: file, root: file }, "", 0);
  } catch (error) {
    yield refusal(key, file, ioReason(error), error instanceof ReadError ? error.hint : null);
  }
}

async function folderUnit(place: Place, folder: string): Promise<ImportUnit> {
  const bytes = await folderBytes(place.tree, folder);
  const bare = folder.replace(/\/$/, "");
  if (place.archive !== null) return { key: place.prefix + bare, path: place.archive, member: folder, bytes };
  return {
    key: bare === "" ? path.basename(place.root) : bare,
    path: path.join(place.root, bare),
    member: null,
    bytes,
  };
}

function refusal(key: string, file: string, reason: string, hint: string | null): Discovered {
  return { kind: "refused", refusal: { key, path: file, position: null, reason, hint } };
}
