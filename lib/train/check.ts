import type { z } from "zod";
import { leavesOf, valueAt } from "./differences";
import { type TrainSettings, trainSettings } from "./settings";

/** What is wrong with one setting. `path`: "reward.window"; "" when it is the whole. */
export interface SettingIssue {
  path: string;
  message: string;
}

function worded(issue: z.core.$ZodIssue): string {
  const { code } = issue;
  if (code === "too_small") return `at least ${issue.minimum}${issue.inclusive === false ? ", and more" : ""}`;
  if (code === "too_big") return `at most ${issue.maximum}`;
  if (code === "invalid_type")
    return issue.expected === "int"
      ? "a whole number"
      : issue.input === undefined || issue.input === ""
        ? `is missing: ${issue.expected}`
        : `must be a ${issue.expected}`;
  if (code === "invalid_value") return `one of ${issue.values.join(", ")}`;
  if (code === "invalid_union") return "is none of the kinds there are";
  return issue.message;
}

/** Settings that are each right and do not go together. */
export function conflictsOf({ start, reward }: TrainSettings): SettingIssue[] {
  const issues: SettingIssue[] = [];
  if (reward.kind === "outcome-and-behavior" && start.kind !== "prefix")
    issues.push({
      path: "reward.kind",
      message: "r_o AND r_e judges the steps after a prefix: start at prefixes",
    });
  if ((reward.kind === "equivalence") !== (start.kind === "pivot"))
    issues.push({
      path: "reward.kind",
      message: "pivots are paid by equivalence, and nothing else is: choose both or neither",
    });
  return issues;
}

/** Checks settings as a person or a file gives them, names that no setting has included. Every issue is given, not only the first. */
export function checkTrainSettings(
  given: unknown,
): { ok: true; settings: TrainSettings } | { ok: false; issues: SettingIssue[] } {
  const parsed = trainSettings.safeParse(given, { reportInput: true });
  if (!parsed.success)
    return {
      ok: false,
      issues: parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: worded(issue) })),
    };
  // A role may be given by its name alone.
  const unknown = [...leavesOf(given).keys()]
    .filter((path) => valueAt(parsed.data, path) === undefined)
    .map((path) => ({ path, message: "there is no setting of this name here" }));
  const issues = [...unknown, ...conflictsOf(parsed.data)];
  return issues.length > 0 ? { ok: false, issues } : { ok: true, settings: parsed.data };
}

/** Issues as a sentence. */
export const sayIssues = (issues: readonly SettingIssue[]): string =>
  issues.map(({ path, message }) => `${path || "settings"}: ${message}`).join("; ");
