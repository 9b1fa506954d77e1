import fs from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import { formatBytes, plural } from "@/lib/text/format";
import { packBundle, writeBundle } from "@/lib/train/bundle/files";
import { makeBundle } from "@/lib/train/bundle/make";
import { BUNDLE_FORMATS, BundleRefused, PAPER_SCALE } from "@/lib/train/bundle/settings";
import { RECIPES } from "@/lib/train/recipes";
import { callerPath, openIndex, print, UsageError } from "./output";
import { whole } from "./prefix";
import { asUsage, settingsOf, type TrainOptions } from "./train";

interface Options extends TrainOptions {
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
    .option("--recipe <name>", RECIPES.map((r) => r.name).join(" | "), "mirl")
    .option("--settings <file>", "settings of your own (JSON), over those of the recipe")
    .option("--model <name>", "what is trained: a folder or a name that the trainer resolves")
    .option("--steps <n>", `optimiser steps (${steps})`, whole(1, 100_000))
    .option("--batch <n>", `groups a step (${batch})`, whole(1, 256))
    .option("--group <n>", `rollouts a group (${group})`, whole(2, 256))
    .option("--learning-rate <x>", `constant (${learningRate})`, Number)
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
      const train = settingsOf(options, PAPER_SCALE);
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

function refusing<T>(make: () => T): T {
  try {
    return asUsage(make);
  } catch (error) {
    if (error instanceof BundleRefused) throw new UsageError(error.message);
    throw error;
  }
}
