import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { projectRoot } from "@/db/home";
import { statement } from "@/db/statement";
import { loadStart, planTraining } from "@/lib/train/run/plan";
import { ENGINE, TOKENS, VERL } from "./contract";
import { type BundleFile, sha256, textFile } from "./files";
import { buildScript, type LaunchFacts, launchScript } from "./launch";
import { bytesOf } from "./messages";
import { readme } from "./readme";
import { commandSeconds, type Row, rowOf, verlRow } from "./rows";
import { BundleRefused, bundleSettings, checkBundle, type GivenBundleSettings } from "./settings";
import { imageFiles, type Task, taskFiles, taskOf } from "./tasks";
import { AGENT_LOOP_CONFIG, verlScript } from "./verl";

/** A start of the plan that could not be written. */
export interface LeftOut {
  start: string;
  reason: string;
}

export interface Bundle {
  /** The recipe and the start of the manifest's digest: the same settings over the same index give the same. */
  name: string;
  files: BundleFile[];
  rows: number;
  leftOut: LeftOut[];
  bytes: number;
}

const python = (): string => path.join(/*turbopackIgnore: true*/ projectRoot(), "lib/train/bundle/python");

/** The environment package, and for verl its agent loop. */
function environmentFiles(verl: boolean): BundleFile[] {
  const modules = fs
    .readdirSync(path.join(python(), "misstep_env"))
    .filter((name) => name.endsWith(".py"))
    .map((name) => `misstep_env/${name}`);
  const names = [...modules, ...(verl ? ["agent_loop.py"] : ["register.py"])].sort();
  return names.map((name) => textFile(`environment/${name}`, fs.readFileSync(path.join(python(), name), "utf8")));
}

/** Room for the longest prompt: no tokenizer is here, so two bytes a token are reckoned, of which code and prose need fewer. */
const promptTokens = (rows: readonly Row[]): number => {
  const longest = Math.max(...rows.map((row) => bytesOf(row.messages)));
  return Math.max(TOKENS.prompt, 1024 * Math.ceil(longest / 2 / 1024));
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

interface PrefixNote {
  id: number;
  misbehavior: string | null;
  taxonomy: string | null;
}

/** What a manifest says of prefixes: drawn for which misbehavior of which version of which taxonomy. */
function prefixNotes(db: Db, ids: readonly number[]): PrefixNote[] {
  const find = statement(
    db,
    `select p.id, e.slug as misbehavior, t.name || ' ' || t.version as taxonomy from prefix p
     left join error_type e on e.id = p.error_type_id left join taxonomy t on t.id = e.taxonomy_id where p.id = ?`,
  );
  return ids.map((id) => find.get(id) as PrefixNote);
}

const misstepVersion = (): string =>
  (
    JSON.parse(fs.readFileSync(path.join(/*turbopackIgnore: true*/ projectRoot(), "package.json"), "utf8")) as {
      version: string;
    }
  ).version;

/**
 * Makes a bundle: rows, tasks, environment package, launch script, README and manifest. The same settings over the same
 * index give the same bytes. Environments of the suite are made where they are missing. Throws ZodError, BundleRefused
 * and NothingToTrainOn.
 */
export function makeBundle(db: Db, studyId: number, given: GivenBundleSettings): Bundle {
  const settings = bundleSettings.parse(given);
  checkBundle(settings);
  const plan = db.$client.transaction(() => planTraining(db, studyId, settings.train)).immediate();
  const tasks = new Map<string, Task>();
  const rows: Row[] = [];
  const leftOut: LeftOut[] = [];
  for (const id of plan.ids) {
    const start = loadStart(db, plan, id);
    const called = plan.kind === "prefix" ? `prefix ${id}` : start.environment.name;
    const task = taskOf(start.environment);
    const row = "refused" in task ? task : rowOf(start, settings.train, task);
    if ("refused" in row || "refused" in task) {
      leftOut.push({ start: called, reason: "refused" in row ? row.refused : "" });
      continue;
    }
    tasks.set(task.id, task);
    rows.push(row);
  }
  if (rows.length === 0)
    throw new BundleRefused(
      `nothing of it can be written for that trainer: ${leftOut[0]?.start}: ${leftOut[0]?.reason}`,
    );
  const facts: LaunchFacts = {
    promptTokens: promptTokens(rows),
    maxSteps: Math.max(...rows.map((row) => row.env_config.max_steps)),
    commandSeconds: commandSeconds(
      settings.train,
      [...tasks.values()].map((task) => task.environment.kind),
    ),
  };
  const all = [...tasks.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const verl = settings.format === "verl";
  const images = settings.withoutImages ? [] : all.flatMap(imageFiles);
  const built = all.map((task) => ({ folder: `images/${task.digest.slice(0, 12)}`, image: task.image }));
  const files: BundleFile[] = [
    ...(verl
      ? [
          textFile("rows.verl.jsonl", lines(rows.map(verlRow))),
          textFile("agent-loop.yaml", AGENT_LOOP_CONFIG),
          textFile("launch-verl.sh", verlScript(settings, facts), true),
        ]
      : [textFile("rows.jsonl", lines(rows)), textFile("launch.sh", launchScript(settings, facts), true)]),
    ...environmentFiles(verl),
    ...all.flatMap(taskFiles),
    ...images,
    ...(settings.withoutImages ? [] : [textFile("build-images.sh", buildScript(built), true)]),
    textFile("README.md", readme(settings, facts, { rows: rows.length, leftOut, tasks: all.length })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const study = statement(db, "select id, name from study where id = ?").get(studyId) as { id: number; name: string };
  const prefixIds = rows.flatMap((row) => (row.env_config.prefix_id === null ? [] : [row.env_config.prefix_id]));
  const manifest = json({
    format: "misstep-bundle",
    version: 1,
    misstep: misstepVersion(),
    engine: verl ? VERL : ENGINE,
    study,
    recipe: settings.train.recipe,
    settings: settings.train,
    model: settings.model,
    launch: facts,
    prefixes: prefixNotes(db, prefixIds),
    taxonomies: [...new Set(prefixNotes(db, prefixIds).map((note) => note.taxonomy))],
    tasks: all.map(({ id, image, digest, environment }) => ({
      id,
      image,
      digest,
      environment: environment.name,
      dataset: environment.dataset,
    })),
    leftOut,
    files: files.map(({ path: name, data }) => ({ path: name, bytes: data.byteLength, sha256: sha256(data) })),
  });
  files.push(textFile("manifest.json", manifest));
  const recipe = settings.train.recipe.replace(/\+/g, "-plus").replace(/[^A-Za-z0-9.-]+/g, "-");
  return {
    name: `${recipe}-${settings.format}-${sha256(Buffer.from(manifest)).slice(0, 12)}`,
    files,
    rows: rows.length,
    leftOut,
    bytes: files.reduce((n, file) => n + file.data.byteLength, 0),
  };
}
