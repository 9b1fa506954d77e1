import { emptyTrajectory } from "@/lib/trajectory/build";
import type { JsonObject, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, isObject, nameAt, numberOf, stringAt, without } from "@/lib/trajectory/value";
import { type DocumentFormat, given } from "./module";
import { readSpeakers } from "./speakers";

/** Who&When: failures of multi-agent systems with the decisive step named by people. */
export const whoAndWhen: DocumentFormat = {
  id: "who-and-when",
  detect: (value) => arrayAt(value, "history") !== null && isObject(value) && "mistake_step" in value,
  *parse(value, context) {
    if (isObject(value)) yield given(read(value, context.file));
  },
};

function read(value: JsonObject, file: string): Trajectory {
  const trajectory = emptyTrajectory("who-and-when");
  trajectory.name = file.replace(/\.json$/i, "");
  trajectory.task = nameAt(value, "question_ID");
  trajectory.dataset = "who-and-when";
  trajectory.steps = readSpeakers(arrayAt(value, "history") ?? [], "/history", trajectory.warnings);
  const correct = value.is_correct ?? value.is_corrected;
  if (typeof correct === "boolean") trajectory.outcome = correct ? "passed" : "failed";
  const step = numberOf(value.mistake_step);
  if (step === null || !Number.isInteger(step) || step < 0 || step >= trajectory.steps.length) {
    trajectory.warnings.push({
      path: "/mistake_step",
      message: `${JSON.stringify(value.mistake_step ?? null)} is no index of one of the ${trajectory.steps.length} entries; the label was left out`,
    });
  } else {
    trajectory.labels.push({
      step,
      dataset: "who-and-when",
      category: null,
      reason: stringAt(value, "mistake_reason"),
      root: true,
    });
    const blamed = nameAt(value, "mistake_agent");
    const actor = trajectory.steps[step]?.actor ?? null;
    if (blamed !== null && actor !== null && !actor.toLowerCase().startsWith(blamed.toLowerCase())) {
      trajectory.warnings.push({
        path: "/mistake_agent",
        message: `the label blames ${JSON.stringify(blamed)}, but the step it names was made by ${JSON.stringify(actor)}`,
      });
    }
  }
  trajectory.source = without(value, "history");
  return trajectory;
}
