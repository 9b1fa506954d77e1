import { emptyStep, emptyTrajectory, observation, placeObservations, turnSteps } from "@/lib/trajectory/build";
import { decodeText } from "@/lib/trajectory/decode";
import { parseJson } from "@/lib/trajectory/json";
import { toolCall, tryJson } from "@/lib/trajectory/tool-calls";
import type { JsonObject, Step, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, between, instantOf, isObject, nameAt, numberAt, objectAt, stringAt } from "@/lib/trajectory/value";
import { type DocumentFormat, type FolderFormat, given, refused } from "./module";

/** Failures of the machinery, which say nothing about the policy. */
const INFRASTRUCTURE = new Set(["agent_installation_failed", "unknown_agent_error", "unknown"]);
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

function isResult(value: unknown): boolean {
  return (
    isObject(value as JsonObject) &&
    "task_id" in (value as JsonObject) &&
    ("is_resolved" in (value as JsonObject) || "failure_mode" in (value as JsonObject))
  );
}

/** Terminal-Bench 1 results: of a run (one trajectory a trial), or of one trial. They hold outcomes, no steps. */
export const terminalBench: DocumentFormat = {
  id: "terminal-bench",
  detect: (value) => isResult(value) || (arrayAt(value, "results") ?? []).slice(0, 3).some(isResult),
  *parse(value) {
    const results = isResult(value) ? [value] : (arrayAt(value, "results") ?? []);
    for (const [at, result] of results.entries()) {
      if (!isObject(result) || !isResult(result)) {
        yield refused(`/results/${at}`, "this entry is no trial result");
        continue;
      }
      const trajectory = readResult(result);
      if (results.length > 1 || !isResult(value))
        trajectory.key = nameAt(result, "id") ?? nameAt(result, "trial_name") ?? `/results/${at}`;
      trajectory.warnings.push({ path: "", message: "the results hold no steps; only the outcome is known" });
      yield given(trajectory, [JSON.stringify(result)]);
    }
  },
};

/** A Terminal-Bench 1 trial folder: results.json, and steps where the agent logged its episodes. */
export const terminalBenchFolder: FolderFormat = {
  id: "terminal-bench",
  detect: (names) =>
    names.includes("results.json") &&
    names.some((name) => /^(panes|sessions|agent-logs)\//.test(name) || name === "commands.txt"),
  async *parse(files) {
    const bytes = await files.read("results.json");
    const parsed = parseJson(decodeText(bytes).text);
    if (!parsed.ok) {
      yield { kind: "refused", part: "results.json", reason: parsed.reason, hint: null, position: parsed.position };
      return;
    }
    if (!isObject(parsed.value) || !isResult(parsed.value)) {
      yield refused("results.json", "no Terminal-Bench trial result");
      return;
    }
    const trajectory = readResult(parsed.value);
    const digest: (string | Buffer)[] = [bytes];
    const names = (await files.entries()).map((entry) => entry.name);
    const text = async (name: string): Promise<string> => {
      const content = await files.head(name, MAX_TEXT_BYTES);
      digest.push(`${name}\0${content.length}\0`, content);
      const decoded = decodeText(content);
      if (decoded.warning) trajectory.warnings.push({ path: name, message: decoded.warning });
      if (content.length === MAX_TEXT_BYTES)
        trajectory.warnings.push({ path: name, message: `only the first ${MAX_TEXT_BYTES} bytes are kept` });
      return decoded.text;
    };
    const steps = await episodes(names, text);
    if (steps.length > 0) trajectory.steps = steps;
    else
      trajectory.warnings.push({
        path: "agent-logs/",
        message: "the agent logged no episodes, so there are no steps; only the outcome is known",
      });
    for (const name of names)
      if (name === "commands.txt" || /^panes\/.*\.txt$/.test(name))
        trajectory.artifacts.push({ name, text: await text(name) });
    yield given(trajectory, digest);
  },
};

function readResult(result: JsonObject): Trajectory {
  const trajectory = emptyTrajectory("terminal-bench");
  const mode = nameAt(result, "failure_mode");
  trajectory.name = nameAt(result, "trial_name") ?? nameAt(result, "task_id");
  trajectory.task = nameAt(result, "task_id");
  trajectory.dataset = "terminal-bench";
  const attempt = /\.(\d+)-of-\d+\./.exec(trajectory.name ?? "");
  trajectory.attempt = attempt ? Number(attempt[1]) : null;
  trajectory.exitStatus = mode === "unset" || mode === "none" ? null : mode;
  if (typeof result.is_resolved === "boolean") {
    if (!result.is_resolved && mode !== null && INFRASTRUCTURE.has(mode)) {
      trajectory.warnings.push({
        path: "/failure_mode",
        message: `not resolved because of ${mode}, which says nothing about the policy: the outcome is unknown`,
      });
    } else {
      trajectory.reward = result.is_resolved ? 1 : 0;
      trajectory.outcome = result.is_resolved ? "passed" : "failed";
    }
  }
  trajectory.usage.promptTokens = numberAt(result, "total_input_tokens") || null;
  trajectory.usage.completionTokens = numberAt(result, "total_output_tokens") || null;
  trajectory.startedAt = instantOf(result.agent_started_at) ?? instantOf(result.trial_started_at);
  trajectory.finishedAt = instantOf(result.agent_ended_at) ?? instantOf(result.trial_ended_at);
  trajectory.durationMs = between(trajectory.startedAt, trajectory.finishedAt);
  const tests = objectAt(result, "parser_results");
  if (tests) trajectory.artifacts.push({ name: "parser_results.json", text: JSON.stringify(tests, null, 2) });
  const instruction = stringAt(result, "instruction");
  if (instruction !== null) {
    const step = emptyStep("user", null);
    step.message = instruction;
    trajectory.steps.push(step);
  }
  trajectory.source = result;
  return trajectory;
}

/** Terminus logs a prompt and a response an episode; the next prompt holds the terminal that the commands led to. */
async function episodes(names: readonly string[], text: (name: string) => Promise<string>): Promise<Step[]> {
  const numbers = names
    .flatMap((name) => {
      const found = /^(agent-logs\/(?:.*\/)?episode-(\d+)\/)response\.txt$/.exec(name);
      return found ? [{ folder: found[1] as string, number: Number(found[2]) }] : [];
    })
    .sort((a, b) => a.number - b.number);
  const steps: Step[] = [];
  let open: Step[] = [];
  for (const [turn, { folder }] of numbers.entries()) {
    const prompt = names.includes(`${folder}prompt.txt`) ? await text(`${folder}prompt.txt`) : null;
    if (prompt !== null && open.length > 0) placeObservations(open, [observation(prompt)]);
    else if (prompt !== null) {
      const step = emptyStep("user", null);
      step.message = prompt;
      steps.push(step);
    }
    const response = await text(`${folder}response.txt`);
    const value = tryJson(response.slice(response.indexOf("{"), response.lastIndexOf("}") + 1));
    const calls = (arrayAt(value, "commands") ?? []).flatMap((command) =>
      stringAt(command, "keystrokes") === null ? [] : [toolCall(null, "keystrokes", command)],
    );
    open = turnSteps({ turn, thinking: null, message: response, calls, source: [] });
    steps.push(...open);
  }
  return steps;
}
