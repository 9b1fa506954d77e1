import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { decodeText } from "./decode";
import { headOf } from "./files/disk";
import type { FileSet } from "./files/file-set";
import { isLabelFile } from "./formats/agentrx";
import { parseJson } from "./json";
import type { Json, JsonObject } from "./types";
import { isArray, isObject, nameAt } from "./value";

const MAX_LABEL_BYTES = 32 * 1024 * 1024;
/** Folders with more JSON files than this are not searched for labels. */
const MAX_CANDIDATES = 2000;

type Finder = (id: string) => Promise<JsonObject | null>;

/** Label files found in a folder, until it or one of them changes. One folder's worth is kept. */
const known = new Map<string, { stamp: string; labels: Map<string, JsonObject> }>();

/**
 * Looks for AgentRx labels of a trajectory in the JSON files of its own folder and of those above it up to the
 * import's root; inside an archive in the same way.
 */
export function labelFinder(files: FileSet | null, file: string, root: string): Finder {
  return async (id) => {
    const folders = files
      ? ancestors(path.posix.dirname(file), ".")
      : ancestors(path.dirname(file), statSync(root).isDirectory() ? root : path.dirname(root));
    for (const folder of folders) {
      const labels = files ? await labelsIn(files, folder, root) : labelsOnDisk(folder);
      const found = labels.get(id);
      if (found) return found;
    }
    return null;
  };
}

function ancestors(from: string, to: string): string[] {
  const list: string[] = [];
  for (let at = from; ; at = path.dirname(at)) {
    list.push(at);
    if (at === to || at === path.dirname(at)) return list;
  }
}

function labelsOnDisk(folder: string): Map<string, JsonObject> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const stamp = `${statSync(folder).mtimeMs}/${names.length}`;
  const cached = known.get(folder);
  if (cached?.stamp === stamp) return cached.labels;
  const labels = new Map<string, JsonObject>();
  for (const name of names.length <= MAX_CANDIDATES ? names : []) {
    const file = path.join(folder, name);
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > MAX_LABEL_BYTES || !looksLikeLabels(headOf(file, 4096))) continue;
    collect(labels, readFileSync(file));
  }
  if (known.size > 50) known.clear();
  known.set(folder, { stamp, labels });
  return labels;
}

async function labelsIn(files: FileSet, folder: string, archive: string): Promise<Map<string, JsonObject>> {
  const key = `${archive}!/${folder}`;
  const stamp = `${statSync(archive).mtimeMs}`;
  const cached = known.get(key);
  if (cached?.stamp === stamp) return cached.labels;
  const labels = new Map<string, JsonObject>();
  const entries = (await files.entries()).filter(
    ({ name, bytes }) => path.posix.dirname(name) === folder && name.endsWith(".json") && bytes <= MAX_LABEL_BYTES,
  );
  for (const { name } of entries.length <= MAX_CANDIDATES ? entries : []) {
    if (looksLikeLabels(await files.head(name, 4096))) collect(labels, await files.read(name));
  }
  if (known.size > 50) known.clear();
  known.set(key, { stamp, labels });
  return labels;
}

function looksLikeLabels(head: Buffer): boolean {
  const text = head.toString("latin1");
  return text.includes('"trajectory_id"') && text.includes('"failures"');
}

function collect(labels: Map<string, JsonObject>, bytes: Buffer): void {
  const parsed = parseJson(decodeText(bytes).text);
  if (!parsed.ok || !isLabelFile(parsed.value)) return;
  const items: Json[] = isArray(parsed.value) ? parsed.value : [parsed.value];
  for (const item of items) {
    const id = nameAt(item, "trajectory_id");
    if (id !== null && isObject(item)) labels.set(id, item);
  }
}
