import { readAtifEntry } from "@/lib/trajectory/formats/atif-exact";
import { entriesOf, nextTurn } from "@/lib/trajectory/groups";
import { hintFor, metaHint } from "@/lib/trajectory/hints";
import { tryJson } from "@/lib/trajectory/tool-calls";
import type { Instant, Json, JsonObject, Step, ToolCall, Trajectory, Usage } from "@/lib/trajectory/types";
import { isObject } from "@/lib/trajectory/value";
import { sameCounts } from "./chat";
import { isRejected, REJECTED_TEXT } from "./rejected";

/**
 * The trajectory as an ATIF-v1.7 document that Harbor's validator accepts: ids without gaps, agent-only fields on
 * agent steps, results that name calls of their own step, no unknown keys. What ATIF cannot say stands in
 * `extra.misstep`, which our reader honours: reading the document gives the same steps. A rejected step is a system note
 * without call and result (rejected.ts); a teacher's correction is an agent step like any other, as it ran.
 */
export function toAtif(trajectory: Trajectory): JsonObject {
  const steps: JsonObject[] = [];
  let turn = 0;
  for (const entry of entriesOf(trajectory.steps)) {
    const { raw, next } = exportEntry(entry, turn, steps.length + 1);
    steps.push(raw);
    turn = next;
  }
  if (steps.length === 0) steps.push({ step_id: 1, source: "system", message: "", extra: { misstep: { steps: [] } } });
  const { usage } = trajectory;
  const final: JsonObject = {};
  if (usage.promptTokens !== null) final.total_prompt_tokens = usage.promptTokens;
  if (usage.completionTokens !== null) final.total_completion_tokens = usage.completionTokens;
  if (usage.cachedTokens !== null) final.total_cached_tokens = usage.cachedTokens;
  if (usage.costUsd !== null) final.total_cost_usd = usage.costUsd;
  final.total_steps = steps.length;
  return {
    schema_version: "ATIF-v1.7",
    ...(trajectory.name === null ? {} : { session_id: trajectory.name }),
    ...(trajectory.key === "" ? {} : { trajectory_id: trajectory.key }),
    agent: {
      name: trajectory.agent ?? "unknown",
      version: trajectory.agentVersion ?? "unknown",
      ...(trajectory.model === null ? {} : { model_name: trajectory.model }),
    },
    steps,
    final_metrics: final,
    extra: { misstep: metaHint(trajectory) },
  };
}

function exportEntry(entry: Step[], turn: number, id: number): { raw: JsonObject; next: number } {
  const first = entry[0] as Step;
  const rejected = isRejected(entry);
  const agent = first.kind === "agent" && !rejected;
  const raw: JsonObject = {
    step_id: id,
    source: rejected ? "system" : first.kind,
    message: rejected ? REJECTED_TEXT : (first.message ?? ""),
  };
  const time = timestamp(first.time);
  if (time !== null) raw.timestamp = time;
  if (first.copied) raw.is_copied_context = true;
  if (agent) {
    if (first.thinking !== null) raw.reasoning_content = first.thinking;
    const calls = entry.flatMap((step, at) => (step.call ? [callOf(step.call, turn, at)] : []));
    if (calls.length > 0) raw.tool_calls = calls;
    if (first.usage) raw.metrics = metricsFrom(first.usage);
  }
  const ids = agent ? entry.flatMap((step) => (step.call?.id != null ? [step.call.id] : [])) : [];
  const results = (rejected ? [] : entry).flatMap((step) =>
    step.observations.map(
      (item): JsonObject => ({
        ...(item.callId !== null && ids.includes(item.callId) ? { source_call_id: item.callId } : {}),
        ...(item.content === null ? {} : { content: item.content }),
      }),
    ),
  );
  if (results.length > 0) raw.observation = { results };
  const bare = readAtifEntry(raw, turn);
  const counts = sameCounts(bare.steps, entry) ? null : entry.map((step) => step.observations.length);
  const read = counts ? readAtifEntry({ ...raw, extra: { misstep: { counts } } }, turn).steps : bare.steps;
  const hint = hintFor(read, entry, counts);
  if (hint) raw.extra = { misstep: hint as unknown as JsonObject };
  return { raw, next: nextTurn(entry, turn) };
}

/** ISO 8601 text of a time: as it stood when it was one, else made from its milliseconds. */
function timestamp(time: Instant | null): string | null {
  if (time?.ms == null) return null;
  if (typeof time.raw === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)?$/.test(time.raw))
    return time.raw;
  if (Math.abs(time.ms) > 8.64e15) return null;
  return new Date(time.ms).toISOString();
}

function callOf(call: ToolCall, turn: number, at: number): Json {
  const parsed = typeof call.arguments === "string" ? tryJson(call.arguments) : call.arguments;
  return {
    tool_call_id: call.id ?? `call_${turn}_${at}`,
    function_name: call.name,
    arguments: isObject(parsed) ? parsed : {},
  };
}

function metricsFrom(usage: Usage): JsonObject {
  const metrics: JsonObject = {};
  if (usage.promptTokens !== null) metrics.prompt_tokens = usage.promptTokens;
  if (usage.completionTokens !== null) metrics.completion_tokens = usage.completionTokens;
  if (usage.cachedTokens !== null) metrics.cached_tokens = usage.cachedTokens;
  if (usage.costUsd !== null) metrics.cost_usd = usage.costUsd;
  if (usage.reasoningTokens !== null) metrics.extra = { reasoning_tokens: usage.reasoningTokens };
  return metrics;
}
