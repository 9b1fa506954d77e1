import { z } from "zod";

const known = z.number().nullish();

/** A rollout as open-instruct writes it (recipe.md 12.A), as far as it can be used without a tokenizer. */
const record = z.object({
  step: z.number().int().nonnegative(),
  sample_idx: z.number().int().nonnegative(),
  prompt_idx: z.number().int().nonnegative(),
  reward: z.number(),
  advantage: known,
  finish_reason: z.string().nullish(),
  ground_truth: z.unknown(),
  request_info: z
    .object({
      tool_errors: z.string().nullish(),
      tool_call_stats: z.array(z.object({ tool_name: z.string().nullish() })).nullish(),
      rollout_state: z
        .object({ step_count: known, info: z.record(z.string(), z.unknown()).nullish() })
        .nullish()
        .catch(null),
    })
    .nullish(),
  /** Only in files of filtered groups. */
  filter_reason: z.string().nullish(),
  prompt_id: z.union([z.string(), z.number()]).nullish(),
});

/** What is taken of a record. null: the file does not say. */
export interface RolloutRecord {
  step: number;
  sample: number;
  prompt: number;
  reward: number;
  advantage: number | null;
  finish: string | null;
  task: string | null;
  steps: number | null;
  /** Numbers of our environment (get_metrics). */
  episode: number | null;
  prefix: number | null;
  outcome: number | null;
  behavior: number | null;
  leftOut: boolean;
  /** What the trainer noted of errors. */
  errors: string | null;
  /** The trainer got no sandbox and wrote 0 for it. */
  resetFailed: boolean;
  filter: string | null;
  promptId: string | null;
}

/** Python writes NaN and Infinity, which JSON has no words for: they are unknown. Texts inside quotes stay. */
const asJson = (line: string): string =>
  line.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (found) => (found.startsWith('"') ? found : "null"));

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return JSON.parse(asJson(line));
  }
}

const first = (value: unknown): string | null => {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === "string" && one !== "" ? one : null;
};

/** Reads a line, or says why it is none. */
export function readRecord(line: string): RolloutRecord | { reason: string } {
  let value: unknown;
  try {
    value = parsed(line);
  } catch (error) {
    return { reason: `no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const read = record.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    return { reason: `${issue?.path.join(".") || "record"}: ${issue?.message}` };
  }
  const r = read.data;
  const state = r.request_info?.rollout_state;
  const info = state?.info ?? {};
  const number = (name: string): number | null => {
    const found = info[name];
    return typeof found === "number" && Number.isFinite(found) ? found : null;
  };
  return {
    step: r.step,
    sample: r.sample_idx,
    prompt: r.prompt_idx,
    reward: r.reward,
    advantage: r.advantage ?? null,
    finish: r.finish_reason ?? null,
    task: first(r.ground_truth),
    steps: state?.step_count ?? null,
    episode: number("misstep_episode"),
    prefix: number("misstep_prefix"),
    outcome: number("misstep_outcome"),
    behavior: number("misstep_behavior"),
    leftOut: number("misstep_left_out") === 1,
    errors: r.request_info?.tool_errors || null,
    resetFailed: (r.request_info?.tool_call_stats ?? []).some((s) => s.tool_name === "env_reset"),
    filter: r.filter_reason ?? null,
    promptId: r.prompt_id == null ? null : String(r.prompt_id),
  };
}
