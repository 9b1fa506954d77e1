import fs from "node:fs";
import { Command } from "commander";
import { drawWindows, importLabels, LabelsRefused } from "@/lib/evaluate/behavior/labels";
import { plural } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { whole } from "./prefix";

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof LabelsRefused) throw new UsageError(error.message);
    throw error;
  }
}

function read(given: string): string {
  try {
    return fs.readFileSync(callerPath(given), "utf8");
  } catch (error) {
    throw new UsageError(`${given} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** misstep measure labels export|import */
export function labelsCommand(): Command {
  const give = new Command("export")
    .argument("<id>", "number of the measurement", parseId)
    .description("print windows drawn at random as JSON lines, blind, for people to fill in answer, reason and author")
    .requiredOption("--sample <n>", "windows", whole(1, 1_000_000))
    .option("--seed <n>", "the draw comes from it", whole(0, Number.MAX_SAFE_INTEGER), 1)
    .action((id: number, { sample, seed }: { sample: number; seed: number }) => {
      const lines = refusing(() => drawWindows(openIndex(), id, sample, seed));
      process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    });
  const take = new Command("import")
    .argument("<id>", "number of the measurement", parseId)
    .argument("<file>", "JSON lines: sample, answer (yes | no | unsure), author, and reason if there is one")
    .description("take in people's labels, all lines or none; those of windows drawn by export correct the rates")
    .option("--json", "print JSON")
    .action((id: number, file: string, options: JsonOption) => {
      const result = refusing(() => importLabels(openIndex(), id, read(file)));
      print(options, result, () => [
        ...result.bad.map((b) => `line ${b.line}: ${b.reason}`),
        result.bad.length > 0
          ? `${plural(result.bad.length, "line")} cannot be read: nothing was taken. Mend them and import the file again`
          : `${plural(result.taken, "label")} taken, ${result.random} of windows drawn at random; ${result.present} were there already`,
      ]);
      if (result.bad.length > 0) process.exitCode = 1;
    });
  return new Command("labels")
    .description("labels of people, which correct the rates")
    .addCommand(give)
    .addCommand(take);
}
