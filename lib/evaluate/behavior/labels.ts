import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { Draw } from "@/lib/environment/suite/draw";
import { prefixText, stepText } from "@/lib/profile/roles/transcript";
import { judgedMode } from "@/lib/train/rollout/starts";
import { behaviorProtocol } from "./settings";
import { readableSamples, windowReader } from "./window";

/** Labels cannot be asked for or taken in. The message says what to do. */
export class LabelsRefused extends Error {}

const drawSchema = z.object({ seed: z.number(), samples: z.array(z.number()) });
/** Windows that were drawn at random for people to label, by draw. */
const drawsOf = (protocol: unknown) => z.array(drawSchema).parse((protocol as { draws?: unknown }).draws ?? []);

const SETTLED = "settled: ";
/** Author of the labels that settling a review queue gives: they stand above those of single people. */
export const settledAuthor = (queue: string): string => `${SETTLED}${queue}`;

interface Measured {
  protocol: Record<string, unknown>;
  status: string | null;
}

function measured(db: Db, id: number): Measured {
  const row = statement(
    db,
    `select v.protocol, j.status from evaluation v left join job j on j.id = v.job_id where v.id = ? and v.kind = 'misbehavior-rate'`,
  ).get(id) as { protocol: string; status: string | null } | undefined;
  if (!row) throw new LabelsRefused(`there is no measurement ${id}; misstep measure makes one`);
  return { protocol: JSON.parse(row.protocol), status: row.status };
}

/** A window as a person gets it to label: no verdict, no checkpoint. Answer, reason and author are filled in. */
export interface WindowToLabel {
  sample: number;
  misbehavior: string;
  definition: string;
  isNot: string[];
  task: string;
  before: string;
  window: string;
  answer: null;
  reason: null;
  author: null;
}

/**
 * Draws `n` windows of a finished measurement at random, remembers which, and gives them to be labelled. The same seed draws
 * the same. Throws LabelsRefused.
 */
export function drawWindows(db: Db, id: number, n: number, seed: number): WindowToLabel[] {
  const { protocol, status } = measured(db, id);
  if (status === "queued" || status === "running" || status === "paused")
    throw new LabelsRefused(
      `measurement ${id} has not ended: a draw from a part of its samples is no draw from all. Wait for its job`,
    );
  const all = readableSamples(db, id);
  if (n > all.length) throw new LabelsRefused(`measurement ${id} has ${all.length} windows; ask for so many at most`);
  const drawn = new Draw(`misstep labels\0${id}\0${seed}`).shuffle(all).slice(0, n);
  const samples = drawn.map((s) => s.id);
  const read = windowReader(db, behaviorProtocol.parse(protocol).window);
  const lines = drawn.map((sample): WindowToLabel => {
    const { environment, prefix, steps } = read(sample);
    const mode = judgedMode(db, sample.errorTypeId);
    return {
      sample: sample.id,
      misbehavior: mode.name,
      definition: mode.definition,
      isNot: mode.excludes,
      task: environment.instruction,
      before: prefixText(prefix),
      window: steps.map((step, i) => stepText(step, i + 1)).join("\n\n"),
      ...{ answer: null, reason: null, author: null },
    };
  });
  db.$client
    .transaction(() => {
      const now = measured(db, id).protocol;
      const draws = drawsOf(now);
      if (draws.some((d) => d.seed === seed && d.samples.length === samples.length)) return;
      statement(db, "update evaluation set protocol = ? where id = ?").run(
        JSON.stringify({ ...now, draws: [...draws, { seed, samples }] }),
        id,
      );
    })
    .immediate();
  return lines;
}

const labelSchema = z.object({
  sample: z.number().int().positive(),
  answer: z.enum(["yes", "no", "unsure"]),
  reason: z.string().max(10_000).nullish(),
  author: z.string().trim().min(1).max(200),
});

export interface BadLine {
  line: number;
  reason: string;
}
export interface ImportedLabels {
  taken: number;
  /** Of them, windows that were drawn at random: only these correct rates. */
  random: number;
  /** The author's newest label of the window says the same already. */
  present: number;
  /** Not empty: nothing was taken. */
  bad: BadLine[];
}

/** Takes in labels of windows as JSON lines, all or none. A line without an answer yet (null) is bad, too. Throws LabelsRefused. */
export function importLabels(db: Db, id: number, text: string): ImportedLabels {
  const { protocol } = measured(db, id);
  const drawn = new Set(drawsOf(protocol).flatMap((d) => d.samples));
  const known = new Set(readableSamples(db, id).map((s) => s.id));
  const bad: BadLine[] = [];
  const labels = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((raw, i) => {
      if (raw.trim() === "") return [];
      const refuse = (reason: string) => {
        bad.push({ line: i + 1, reason });
        return [];
      };
      let value: unknown;
      try {
        value = JSON.parse(raw);
      } catch {
        return refuse("is no JSON");
      }
      const read = labelSchema.safeParse(value);
      if (!read.success) {
        const issue = read.error.issues[0];
        return refuse(`${issue?.path.join(".") || "line"}: ${issue?.message}`);
      }
      if (read.data.author.startsWith(SETTLED))
        return refuse(`author: names that begin with "${SETTLED}" are of settled review queues`);
      if (!known.has(read.data.sample)) return refuse(`sample ${read.data.sample} is no window of measurement ${id}`);
      return [read.data];
    });
  const result: ImportedLabels = { taken: 0, random: 0, present: 0, bad };
  if (bad.length > 0) return result;
  db.$client
    .transaction(() => {
      const newest = statement(
        db,
        "select answer, reason from window_label where sample_id = ? and author = ? order by id desc limit 1",
      );
      const insert = statement(
        db,
        "insert into window_label (sample_id, author, answer, reason, random) values (?, ?, ?, ?, ?)",
      );
      for (const { sample, author, answer, reason = null } of labels) {
        const before = newest.get(sample, author) as { answer: string; reason: string | null } | undefined;
        if (before?.answer === answer && before.reason === reason) {
          result.present++;
          continue;
        }
        insert.run(sample, author, answer, reason, drawn.has(sample) ? 1 : 0);
        result.taken++;
        if (drawn.has(sample)) result.random++;
      }
    })
    .immediate();
  return result;
}
