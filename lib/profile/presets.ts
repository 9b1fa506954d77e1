import type { GivenSettings, PresetName } from "./settings";

type Filled = Required<Pick<GivenSettings, "temperature" | "topP" | "testsAtLimit" | "formatErrorsInARow">>;

/** Consecutive replies without a command that the evaluation agent answers (recipe 2). */
const EVALUATION_FORMAT_ERRORS = 64;

/**
 * Limits and format-error handling of recipe 2 under a name. `training`: the training environment of the fork.
 * `evaluation`: its evaluation agent. `paper`: tests at the limit as the paper's text has it, sampled as in profiling,
 * with the evaluation agent's feedback. Settings and nothing else: a preset fills in what was not given.
 */
export const PRESETS: Record<PresetName, Filled> = {
  paper: { temperature: 1, topP: 1, testsAtLimit: true, formatErrorsInARow: EVALUATION_FORMAT_ERRORS },
  training: { temperature: 1, topP: 1, testsAtLimit: false, formatErrorsInARow: 0 },
  evaluation: { temperature: 0.7, topP: 0.95, testsAtLimit: true, formatErrorsInARow: EVALUATION_FORMAT_ERRORS },
};

/** Settings with what their preset says where they say nothing themselves. */
export function withPreset(given: GivenSettings): GivenSettings {
  if (!given.preset) return given;
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...PRESETS[given.preset], ...said } as GivenSettings;
}
