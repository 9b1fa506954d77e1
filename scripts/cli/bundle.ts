import fs from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import { ZodError } from "zod";
import type { Db } from "@/db/client";
import { formatBytes, plural } from "@/lib/text/format";
import { packBundle, writeBundle } from "@/lib/train/bundle/files";
import { makeBundle } from "@/lib/train/bundle/make";
import { BUNDLE_FORMATS, BundleRefused, PAPER_SCALE } from "@/lib/train/bundle/settings";
import { allRecipes, findRecipe } from "@/lib/train/ownRecipes";
import { NothingToTrainOn } from "@/lib/train/run/plan";
import type { GivenTrainSettings } from "@/lib/train/settings";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";
import { decimal, whole } from "./prefix";
import { readSettingsFile } from "./train";

interface Options extends JsonOption {
  recipe: string;
  settings?: string;
  steps?: number;
  batch?: number;
  group?: number;
  learningRate?: number;
  seed?: number;
  misbehavior: string[];
  format: (typeof BUNDLE_FORMATS)[number];
  model?: string;
  learners?: number;
  engines?: number;
  images: boolean;
}

/** misstep bundle */
export function bundleCommand(): Command {
  const { group, batch, steps, learningRate } = PAPER_SCALE;
  return new Command("bundle")
    .description(
      "writes what a larger trainer needs to do a training: data set, tasks, environment package, launch script",
    )
    .argument("<target>", "a folder that is not there yet, or a file that ends in .tar.gz")
    .addOption(new Option("--format <trainer>", "who reads it").choices(BUNDLE_FORMATS).default("open-instruct"))
    .option("--recipe <name>", "shipped or of your own: misstep recipes lists them", "mirl")
    .option("--settings <file>", "settings of your own (JSON), over those of the recipe")
    .option("--model <name>", "what is trained: a folder or a name that the trainer resolves")
    .option("--steps <n>", `optimiser steps (${steps})`, whole(1, 100_000))
    .option("--batch <n>", `groups a step (${batch})`, whole(1, 256))
    .option("--group <n>", `rollouts a group (${group})`, whole(2, 256))
    .option("--learning-rate <x>", `constant (${learningRate})`, decimal)
    .option(
      "--misbehavior <slug>",
      "only prefixes of this one; can be given several times",
      (v, all: string[]) => [...all, v],
      [],
    )
    .option("--seed <n>", "everything drawn comes from it", whole(0, Number.MAX_SAFE_INTEGER))
    .option("--learners <n>", "processors that train (4)", whole(1, 64))
    .option("--engines <n>", "processors that roll out (4)", whole(1, 64))
    .option("--no-images", "leave out what containers are built from; rows then name them by digest alone")
    .option("--json", "print JSON")
    .action(async (target: string, options: Options) => {
      const db = openIndex();
      const { format, model, learners, engines, images } = options;
      const more = Object.fromEntries(Object.entries({ model, learners, engines }).filter(([, v]) => v !== undefined));
      const train = settingsOf(db, options);
      const bundle = refusing(() => makeBundle(db, 1, { train, format, withoutImages: !images, ...more }));
      const full = callerPath(target);
      if (fs.existsSync(full)) throw new UsageError(`${full} is there already; name another`);
      if (full.endsWith(".tar.gz")) {
        fs.mkdirSync(path.dirname(full), { recursive: true });
        fs.writeFileSync(full, await packBundle(path.basename(full, ".tar.gz"), bundle.files), { flag: "wx" });
      } else writeBundle(full, bundle.files);
      const { name, rows, leftOut, bytes, files } = bundle;
      print(options, { path: full, name, rows, leftOut, bytes, files: files.length }, () => [
        `${name}: ${plural(rows, "row")}, ${plural(files.length, "file")}, ${formatBytes(bytes)} in ${full}`,
        ...leftOut.map(({ start, reason }) => `left out: ${start}: ${reason}`),
        `README.md there says what to do next`,
      ]);
    });
}

/** Settings of the training: the recipe's, at the paper's scale, under those of a file and of the options. */
function settingsOf(db: Db, { recipe: name, settings: file, misbehavior, ...options }: Options): GivenTrainSettings {
  const recipe = findRecipe(db, name);
  if (!recipe && file === undefined)
    throw new UsageError(
      `there is no recipe "${name}"; there are ${allRecipes(db)
        .map((r) => r.name)
        .join(", ")}`,
    );
  const { steps, batch, group, learningRate, seed } = options;
  const given = Object.entries({ steps, batch, group, learningRate, seed }).filter(([, v]) => v !== undefined);
  const own = file === undefined ? null : readSettingsFile(file);
  const settings = {
    ...recipe?.settings,
    // Numbers of a recipe of one's own were chosen; those of shipped ones are the small policy's.
    ...(recipe?.basedOn == null ? PAPER_SCALE : {}),
    recipe: name,
    ...own,
    ...Object.fromEntries(given),
  } as GivenTrainSettings;
  const { start } = settings;
  if (misbehavior.length > 0 && (start.kind === "prefix" || start.kind === "environments"))
    settings.start = { ...start, prefixes: { ...start.prefixes, misbehaviors: misbehavior } };
  return settings;
}

function refusing<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ZodError)
      throw new UsageError(error.issues.map((i) => `${i.path.join(".") || "settings"}: ${i.message}`).join("; "));
    if (error instanceof BundleRefused || error instanceof NothingToTrainOn) throw new UsageError(error.message);
    throw error;
  }
}
