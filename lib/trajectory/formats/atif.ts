import { emptyTrajectory } from "@/lib/trajectory/build";
import type { Json, JsonObject, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, isObject, nameAt, numberAt, objectAt, stringAt, without } from "@/lib/trajectory/value";
import { readExactAtif } from "./atif-exact";
import { atifStep } from "./atif-step";
import { type DocumentFormat, given, type Parsed } from "./module";

const KNOWN = /^ATIF-v1\.[0-7]$/;

/** Harbor's Agent Trajectory Interchange Format, 1.0 to 1.7. */
export const atif: DocumentFormat = {
  id: "atif",
  detect: (value) => stringAt(value, "schema_version")?.startsWith("ATIF-v") ?? false,
  *parse(value, context) {
    if (isObject(value)) yield* readAtif(value, context.file);
  },
};

function* readAtif(value: JsonObject, file: string): Generator<Parsed> {
  const main = readOne(value);
  main.name ??= file.replace(/(\.trajectory)?\.json$/i, "");
  yield given(main);
  for (const [at, part] of (arrayAt(value, "subagent_trajectories") ?? []).entries()) {
    if (!isObject(part)) continue;
    const id = nameAt(part, "trajectory_id") ?? nameAt(part, "session_id") ?? String(at);
    const inner = readOne(part);
    inner.key = `sub/${id}`;
    inner.parentKey = "";
    inner.parentStep = starter(main, id);
    yield given(inner);
  }
}

/** Index of the step that refers to a sub-trajectory by id or file name; null when none does. */
export function starter(main: Trajectory, ...ids: string[]): number | null {
  const at = main.steps.findIndex((step) =>
    step.source.some((source) =>
      (arrayAt(objectAt(source, "observation"), "results") ?? []).some((result) =>
        (arrayAt(result, "subagent_trajectory_ref") ?? []).some((ref) =>
          ids.some((id) =>
            [nameAt(ref, "trajectory_id"), nameAt(ref, "session_id"), nameAt(ref, "trajectory_path")].includes(id),
          ),
        ),
      ),
    ),
  );
  return at === -1 ? null : at;
}

function readOne(value: JsonObject): Trajectory {
  const trajectory = emptyTrajectory("atif");
  const agent = objectAt(value, "agent");
  const final = objectAt(value, "final_metrics");
  const version = stringAt(value, "schema_version") ?? "";
  trajectory.formatVersion = version;
  if (!KNOWN.test(version)) {
    trajectory.warnings.push({
      path: "/schema_version",
      message: `${version} is newer than what is known here (1.0 to 1.7); read as 1.7`,
    });
  }
  trajectory.name = nameAt(value, "trajectory_id") ?? nameAt(value, "session_id");
  trajectory.agent = nameAt(agent, "name");
  trajectory.agentVersion = nameAt(agent, "version");
  trajectory.model = nameAt(agent, "model_name");
  trajectory.usage.promptTokens = numberAt(final, "total_prompt_tokens");
  trajectory.usage.completionTokens = numberAt(final, "total_completion_tokens");
  trajectory.usage.cachedTokens = numberAt(final, "total_cached_tokens");
  trajectory.usage.costUsd = numberAt(final, "total_cost_usd") || null;
  trajectory.source = without(value, "steps", "subagent_trajectories");
  const steps = arrayAt(value, "steps") ?? [];
  const hints = objectAt(objectAt(value, "extra"), "misstep");
  if (hints) return readExactAtif(trajectory, steps, hints);
  if (!arrayAt(value, "steps")) trajectory.warnings.push({ path: "/steps", message: "there is no list of steps" });
  let turn = 0;
  for (const [at, raw] of steps.entries()) {
    const read = atifStep(raw as Json, turn, `/steps/${at}`, at + 1, trajectory.warnings);
    if (read.some((step) => step.kind === "agent")) turn += 1;
    trajectory.steps.push(...read);
  }
  return trajectory;
}
