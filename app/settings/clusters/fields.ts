import type { z } from "zod";
import { type SlurmSettings, slurmSettings } from "@/lib/jobs/place/schema";

/** The settings of Slurm as a form holds them: text. */
export type SlurmTexts = Record<keyof SlurmSettings, string>;

/** What is wrong, by field; `extra` names its line. */
export type SlurmFaults = Partial<Record<keyof SlurmSettings, string>>;

export const textsOf = (slurm: SlurmSettings): SlurmTexts => ({
  ...slurm,
  cpusPerTask: String(slurm.cpusPerTask),
  concurrent: String(slurm.concurrent),
  itemsPerTask: String(slurm.itemsPerTask),
  tries: String(slurm.tries),
  extra: slurm.extra.join("\n"),
});

/** An empty or wrong number is said by the schema, not taken for 0. */
const numberIn = (text: string) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN);

const sayNumber = (issue: z.core.$ZodIssue) =>
  issue.code === "too_small"
    ? `at least ${issue.minimum}`
    : issue.code === "too_big"
      ? `at most ${Number(issue.maximum).toLocaleString("en")}`
      : "a whole number";

/** Reads a form: the settings, or what is wrong with each field. */
export function readTexts(texts: SlurmTexts): { slurm: SlurmSettings } | { faults: SlurmFaults } {
  const lines = texts.extra.split("\n").map((line) => line.trim());
  const read = slurmSettings.safeParse({
    partition: texts.partition.trim(),
    account: texts.account.trim(),
    time: texts.time.trim(),
    memory: texts.memory.trim(),
    folder: texts.folder.trim(),
    command: texts.command.trim(),
    cpusPerTask: numberIn(texts.cpusPerTask),
    concurrent: numberIn(texts.concurrent),
    itemsPerTask: numberIn(texts.itemsPerTask),
    tries: numberIn(texts.tries),
    extra: lines.filter((line) => line !== ""),
  });
  if (read.success) return { slurm: read.data };
  const faults: SlurmFaults = {};
  const filled = lines.flatMap((line, at) => (line === "" ? [] : [at + 1]));
  for (const issue of read.error.issues) {
    const [field, at] = issue.path as [keyof SlurmSettings, number?];
    const isNumber = issue.code === "too_small" || issue.code === "invalid_type" || issue.code === "too_big";
    const said = isNumber && field !== "extra" ? sayNumber(issue) : issue.message;
    faults[field] ??= at === undefined ? said : `line ${filled[at]}: ${said}`;
  }
  return { faults };
}
