import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { studyDesign } from "./design";

const id = z.number().int().positive();

/** Phases of a study in their order (design 9, paper 3 and 4). */
export const PHASES = [
  "profile",
  "heldout",
  "taxonomy",
  "prefixes",
  "rerun",
  "judge",
  "train",
  "select",
  "scores",
  "rates",
] as const;
export type Phase = (typeof PHASES)[number];

/** A checkpoint as a candidate of selection: how many of the selection environments' rollouts passed. */
const candidate = z.object({
  step: z.number(),
  checkpointId: id,
  /** Trailing moving average of the training reward. */
  average: z.number(),
  profileId: id,
  /** null until its rollouts ended. */
  passed: z.number().nullable(),
  scored: z.number().nullable(),
});

/** What a phase made, by row ids; a phase that has not come so far is absent. Filled as jobs are queued, so that a killed run goes on. */
const made = z.object({
  profile: z.object({ profileId: id }).optional(),
  heldout: z.object({ profileId: id }).optional(),
  taxonomy: z.object({ taxonomyId: id }).optional(),
  prefixes: z.object({ drawId: id }).optional(),
  rerun: z.object({ jobId: id }).optional(),
  judge: z.object({ evaluationId: id, name: z.string() }).optional(),
  train: z.object({ runs: z.array(z.object({ recipe: z.string(), seed: z.number(), runId: id })) }).optional(),
  select: z
    .object({
      chosen: z.array(
        z.object({
          recipe: z.string(),
          seed: z.number(),
          runId: id,
          checkpointId: id.nullable(),
          candidates: z.array(candidate),
        }),
      ),
    })
    .optional(),
  /** One evaluation a checkpoint: base (recipe null) and every chosen one. `evaluationId` null until its rollouts ended. */
  scores: z
    .object({
      of: z.array(
        z.object({
          recipe: z.string().nullable(),
          seed: z.number().nullable(),
          checkpointId: id,
          runs: z.number(),
          profileId: id,
          evaluationId: id.nullable(),
        }),
      ),
    })
    .optional(),
  /** One measurement of base and all chosen checkpoints under both judges: "rules …" and "learned:NAME …". */
  rates: z.object({ evaluationId: id, jobId: id }).optional(),
});

/** `ms`: time worked on it, pauses between runs left out. */
const times = z.object({ startedAt: z.number(), finishedAt: z.number().nullable(), ms: z.number().default(0) });

/** The study of an index: its design, what each phase made, when each ran (ms since 1970). Kept in `setting`, key "study". */
export const studyState = z.object({
  format: z.literal("misstep-study/1"),
  design: studyDesign,
  made,
  times: z.partialRecord(z.enum(PHASES), times),
  /** What it ran on, for reading times. */
  machine: z.object({ cores: z.number(), cpu: z.string(), node: z.string() }),
});
export type StudyState = z.infer<typeof studyState>;

const KEY = "study";

/** The study of this index, or null. */
export function readStudy(db: Db): StudyState | null {
  const row = statement(db, "select value from setting where key = ?").get(KEY) as { value: string } | undefined;
  return row ? studyState.parse(JSON.parse(row.value)) : null;
}

/** Keeps the state. Call inside the transaction that makes what it names. */
export function writeStudy(db: Db, state: StudyState): void {
  statement(
    db,
    "insert into setting (key, value, updated_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at",
  ).run(KEY, JSON.stringify(studyState.parse(state)), Date.now());
}

/** The study's own words for how long a phase took. */
export const workedMs = (state: StudyState, phase: Phase): number => state.times[phase]?.ms ?? 0;

/** Phases that ended, in order. */
export const finishedPhases = (state: StudyState): Phase[] =>
  PHASES.filter((phase) => state.times[phase]?.finishedAt != null);
