import { emptyTrajectory } from "@/lib/trajectory/build";
import type { Json, JsonObject, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, isArray, isObject, nameAt, numberAt, objectAt, stringAt } from "@/lib/trajectory/value";
import { type DocumentFormat, given, skipped } from "./module";
import { readSpeakers } from "./speakers";

/** Magentic-One message lists, whose speakers stand in `role`; AgentRx labels join them by file name. */
export const agentRx: DocumentFormat = {
  id: "agentrx",
  detect: (value) =>
    isArray(value) &&
    value.length > 1 &&
    value
      .slice(0, 10)
      .every(
        (entry) =>
          isObject(entry) &&
          typeof entry.role === "string" &&
          typeof entry.content === "string" &&
          !("tool_calls" in entry),
      ) &&
    value
      .slice(0, 10)
      .some((entry) => /orchestrator|websurfer|filesurfer|coder|computerterminal/i.test(stringAt(entry, "role") ?? "")),
  async *parse(value, context) {
    const trajectory = emptyTrajectory("agentrx");
    const id = context.file.replace(/\.json$/i, "");
    trajectory.name = id;
    trajectory.task = id;
    trajectory.agent = "magentic-one";
    trajectory.steps = readSpeakers(isArray(value) ? value : [], "", trajectory.warnings);
    const labels = context.labels ? await context.labels(id) : null;
    if (labels) {
      trajectory.dataset = "agentrx";
      trajectory.outcome = "failed";
      addLabels(trajectory, labels);
      trajectory.source = { labels };
    }
    yield given(trajectory, [JSON.stringify(value), JSON.stringify(labels)]);
  },
};

/** AgentRx's label file: it joins the trajectories it names and is none itself. */
export const agentRxLabels: DocumentFormat = {
  id: "agentrx",
  detect: isLabelFile,
  *parse(value) {
    const count = isArray(value) ? value.length : 1;
    yield skipped(
      "",
      `labels by people for ${count} trajectories: they come in with the trajectories of their names in this folder or below it`,
    );
  },
};

export function isLabelFile(value: Json): boolean {
  const first = isArray(value) ? value[0] : value;
  return stringAt(first, "trajectory_id") !== null && arrayAt(first, "failures") !== null;
}

/** Steps are counted from 1. One of the failures is marked as the root cause. */
function addLabels(trajectory: Trajectory, labels: JsonObject): void {
  const root = objectAt(labels, "root_cause");
  for (const [at, failure] of (arrayAt(labels, "failures") ?? []).entries()) {
    const step = (numberAt(failure, "step_number") ?? 0) - 1;
    if (step < 0 || step >= trajectory.steps.length) {
      trajectory.warnings.push({
        path: `labels/failures/${at}`,
        message: `step ${step + 1} does not exist; the label was left out`,
      });
      continue;
    }
    const isRoot = isObject(failure) && root !== null && String(failure.failure_id) === String(root.failure_id);
    const reasons = [stringAt(failure, "step_reason"), isRoot ? stringAt(root, "reason_for_root_cause") : null].filter(
      (text) => text !== null && text !== "",
    );
    trajectory.labels.push({
      step,
      dataset: "agentrx",
      category: nameAt(failure, "failure_category"),
      reason: reasons.length > 0 ? [...new Set(reasons)].join("\n") : null,
      root: isRoot,
    });
  }
}
