import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

/** The folder holds nothing that can be read, or more than one training of it. The message says what to do. */
export class UnreadableFolder extends Error {}

const NAME = /^(?:filtered\/)?(.+?)_(?:(?:filtered_)?rollouts_\d{6}|metadata)\.jsonl$/;

const filesBelow = (folder: string): string[] =>
  ["", "filtered"].flatMap((part) => {
    const full = path.join(folder, part);
    return fs.existsSync(full) && fs.statSync(full).isDirectory()
      ? fs.readdirSync(full).map((name) => (part === "" ? name : `${part}/${name}`))
      : [];
  });

/** Trainings that wrote into a folder, by the names the trainer gave them. */
export function runsIn(folder: string): string[] {
  const names = filesBelow(folder).flatMap((file) => {
    const stem = NAME.exec(file)?.[1];
    return stem === undefined ? [] : [stem];
  });
  return [...new Set(names)].sort();
}

/** Files of a training in the order in which they are read: rollouts that were trained on, then those filtered out. */
export const rolloutFiles = (folder: string, run: string): { path: string; filtered: boolean }[] =>
  filesBelow(folder)
    .flatMap((file) => {
      const filtered = file.startsWith("filtered/");
      const shard = filtered ? "_filtered_rollouts_" : "_rollouts_";
      const name = filtered ? file.slice("filtered/".length) : file;
      return name.startsWith(`${run}${shard}`) && /^\d{6}\.jsonl$/.test(name.slice(run.length + shard.length))
        ? [{ path: file, filtered }]
        : [];
    })
    .sort((a, b) => Number(a.filtered) - Number(b.filtered) || (a.path < b.path ? -1 : 1));

/** The one training of a folder, or the one that is named; null: none has written yet. Throws UnreadableFolder. */
export function runOf(folder: string, given: string | undefined): string | null {
  const runs = runsIn(folder);
  if (given !== undefined) return given;
  if (runs.length > 1)
    throw new UnreadableFolder(`${folder} holds rollouts of ${runs.length} trainings (${runs.join(", ")}); name one`);
  return runs[0] ?? null;
}

const metadata = z.object({
  model_name: z.string().nullish(),
  git_commit: z.string().nullish(),
  timestamp: z.string().nullish(),
});

/** What the trainer says of itself; null: no such file, or not readable. */
export function metadataOf(folder: string, run: string): z.infer<typeof metadata> | null {
  const file = path.join(folder, `${run}_metadata.jsonl`);
  if (!fs.existsSync(file)) return null;
  try {
    return metadata.parse(JSON.parse(fs.readFileSync(file, "utf8").trim().split("\n").at(-1) ?? ""));
  } catch {
    return null;
  }
}
