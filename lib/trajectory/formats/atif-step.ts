import { emptyStep, observation, placeObservations, turnSteps } from "@/lib/trajectory/build";
import { unwrapOutput } from "@/lib/trajectory/outputs";
import { contentOf } from "@/lib/trajectory/text";
import { toolCall } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, Step, Usage, Warning } from "@/lib/trajectory/types";
import { arrayAt, instantOf, isObject, nameAt, numberAt, objectAt, stringAt } from "@/lib/trajectory/value";

const FIELDS = new Set(
  "step_id timestamp source message model_name reasoning_effort reasoning_content tool_calls metrics observation is_copied_context llm_call_count extra".split(
    " ",
  ),
);

/** One ATIF step as steps of ours: one a tool call. Departures from the format are warnings. */
export function atifStep(raw: Json, turn: number, path: string, id: number, warnings: Warning[]): Step[] {
  if (!isObject(raw)) {
    warnings.push({ path, message: "a step is no object; kept as its JSON text" });
    const step = emptyStep("user", null);
    step.message = JSON.stringify(raw);
    step.source = [raw];
    return [step];
  }
  const source = nameAt(raw, "source");
  if (raw.step_id !== undefined && raw.step_id !== id)
    warnings.push({
      path: `${path}/step_id`,
      message: `the step id is ${JSON.stringify(raw.step_id)} where ${id} comes next`,
    });
  for (const key in raw)
    if (!FIELDS.has(key))
      warnings.push({ path: `${path}/${key}`, message: "a field ATIF does not have; kept in the step's raw JSON" });
  if (source !== "agent" && source !== "user" && source !== "system") {
    warnings.push({
      path: `${path}/source`,
      message: `unknown source ${JSON.stringify(raw.source ?? null)}; kept as a user entry`,
    });
  }
  const steps = source === "agent" ? agentSteps(raw, turn) : [otherStep(raw, source === "system" ? "system" : "user")];
  place(steps, raw, path, warnings);
  for (const step of steps) step.copied = raw.is_copied_context === true;
  if (arrayAt(raw, "tool_calls") && source !== "agent")
    warnings.push({
      path: `${path}/tool_calls`,
      message: "tool calls on a step that is not the agent's; kept in its raw JSON",
    });
  if (source !== "agent" && isSummary(raw)) (steps[0] as Step).note = "summary";
  return steps;
}

function isSummary(raw: JsonObject): boolean {
  return (arrayAt(objectAt(raw, "observation"), "results") ?? []).some(
    (result) => arrayAt(result, "subagent_trajectory_ref") !== null,
  );
}

function otherStep(raw: JsonObject, kind: "user" | "system"): Step {
  const step = emptyStep(kind, null);
  step.message = contentOf(raw.message).text;
  step.time = instantOf(raw.timestamp);
  step.source = [raw];
  return step;
}

/** Steps of an agent step's tool calls, without its observations. */
export function agentSteps(raw: JsonObject, turn: number): Step[] {
  const calls = (arrayAt(raw, "tool_calls") ?? []).map((call) =>
    toolCall(
      nameAt(call, "tool_call_id"),
      stringAt(call, "function_name") ?? "",
      isObject(call) ? (call.arguments ?? null) : null,
    ),
  );
  const content = contentOf(raw.message);
  return turnSteps({
    turn,
    thinking: stringAt(raw, "reasoning_content") ?? content.thinking,
    message: content.text,
    calls,
    time: instantOf(raw.timestamp),
    usage: metricsOf(objectAt(raw, "metrics")),
    source: [raw],
  });
}

export function metricsOf(metrics: JsonObject | null): Usage | null {
  if (!metrics) return null;
  const usage: Usage = {
    promptTokens: numberAt(metrics, "prompt_tokens"),
    completionTokens: numberAt(metrics, "completion_tokens"),
    cachedTokens: numberAt(metrics, "cached_tokens"),
    reasoningTokens: numberAt(objectAt(metrics, "extra"), "reasoning_tokens"),
    costUsd: numberAt(metrics, "cost_usd") || null,
  };
  return Object.values(usage).some((field) => field !== null) ? usage : null;
}

function place(steps: Step[], raw: JsonObject, path: string, warnings: Warning[]): void {
  const results = arrayAt(objectAt(raw, "observation"), "results") ?? [];
  const items = results.filter(
    (result) => !isObject(result) || result.content !== undefined || !arrayAt(result, "subagent_trajectory_ref"),
  );
  const observations = items.map((result, at) => {
    const id = nameAt(result, "source_call_id");
    if (id !== null && !steps.some((step) => step.call?.id === id)) {
      warnings.push({
        path: `${path}/observation/results/${at}`,
        message: `answers the call ${JSON.stringify(id)}, which this step does not make`,
      });
    }
    const item = observation(contentOf(isObject(result) ? result.content : result).text, id);
    unwrapOutput(item);
    return item;
  });
  placeObservations(steps, observations);
}
