import { emptyTrajectory } from "@/lib/trajectory/build";
import { decodeText } from "@/lib/trajectory/decode";
import type { FileSet } from "@/lib/trajectory/files/file-set";
import { parseJson } from "@/lib/trajectory/json";
import { setRewards } from "@/lib/trajectory/outcome";
import type { Json, JsonObject, Trajectory } from "@/lib/trajectory/types";
import { between, instantOf, isArray, isObject, nameAt, numberAt, objectAt, stringAt } from "@/lib/trajectory/value";
import { starter } from "./atif";
import { applyTiming } from "./harbor-timing";
import { documentFormat } from "./index";
import { type FolderFormat, given, type Parsed, refused } from "./module";

/** Text files of a trial that are kept with it, with the name they get. */
const ARTIFACTS = /^(exception\.txt|trial\.log|verifier\/[^/]+\.(txt|json|log|xml))$/;
const MAX_ARTIFACT_BYTES = 8 * 1024 * 1024;
/** Further trajectories of the same agent: context summaries and continued parts. */
const PART = /^agent\/trajectory\.(.+)\.json$/;

/** A Harbor trial folder: result.json, config.json, agent/, verifier/. One trajectory and its sub-trajectories. */
export const harborTrial: FolderFormat = {
  id: "harbor-trial",
  detect: (names) =>
    names.includes("result.json") || (names.includes("config.json") && names.some((name) => name.startsWith("agent/"))),
  async *parse(files, { name }) {
    const entries = await files.entries();
    const names = entries.map((entry) => entry.name);
    const used = new Map<string, Buffer>();
    const read = async (file: string): Promise<Buffer | null> => {
      if (!names.includes(file)) return null;
      const bytes = await files.read(file);
      used.set(file, bytes);
      return bytes;
    };
    const outcome = await readOutcome(read, files, entries, name);
    if (outcome.kind === "refused") {
      yield outcome;
      return;
    }
    const digest = () =>
      [...used].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([file, bytes]) => [`${file}\0${bytes.length}\0`, bytes]);
    const main = mainFile(names);
    if (main === null) {
      if (outcome.result === null) {
        yield refused("", "the trial has neither a result nor a trajectory: nothing ran, or its files were not copied");
        return;
      }
      const bare = emptyTrajectory("harbor-trial");
      bare.warnings.push({ path: "agent/", message: "the trial has no trajectory file; only its outcome is known" });
      outcome.apply(bare);
      yield given(bare, digest());
      return;
    }
    const parts: Parsed[] = [];
    for (const file of [main, ...names.filter((other) => other !== main && PART.test(other))]) {
      const bytes = await read(file);
      if (bytes) parts.push(...(await readPart(bytes, file, file === main)));
    }
    const timing = main === "agent/trajectory.json" ? await jsonOf(read, "agent/timing.json") : null;
    const first = parts.find((part) => part.kind === "trajectory");
    for (const part of parts) {
      if (part.kind !== "trajectory") {
        yield part;
        continue;
      }
      const { trajectory } = part;
      if (part === first && trajectory.key === "") {
        outcome.apply(trajectory);
        if (isArray(timing)) applyTiming(trajectory, timing);
        yield given(trajectory, digest());
      } else {
        if (first?.kind === "trajectory")
          trajectory.parentStep ??= starter(
            first.trajectory,
            `${trajectory.key.replace(/^part\//, "trajectory.")}.json`,
          );
        trajectory.name = `${outcome.name} ${trajectory.key}`;
        trajectory.task ??= outcome.task;
        yield given(trajectory, [...digest(), trajectory.key]);
      }
    }
  },
};

/** The agent's own trajectory: `trajectory.json`, else one under another name. */
function mainFile(names: readonly string[]): string | null {
  const fixed = ["agent/trajectory.json", "agent/mini-swe-agent.trajectory.json"].find((name) => names.includes(name));
  return (
    fixed ??
    names.find((name) => /^agent\/(?!episode-).*(traj(ectory)?(\.json|\.jsonl)?)$/.test(name) && !PART.test(name)) ??
    null
  );
}

async function readPart(bytes: Buffer, file: string, main: boolean): Promise<Parsed[]> {
  const { text, warning } = decodeText(bytes);
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const hint = parsed.truncated
      ? "The file stops early: the agent was killed while writing, or the copy was cut."
      : null;
    return [{ kind: "refused", part: file, reason: parsed.reason, hint, position: parsed.position }];
  }
  const format = documentFormat(parsed.value);
  if (!format)
    return [refused(file, "no trajectory format known here", "Export it from its agent as ATIF or as chat messages.")];
  const results: Parsed[] = [];
  for await (const part of format.parse(parsed.value, { file: file.replace(/^.*\//, "") })) {
    if (part.kind === "trajectory") {
      const { trajectory } = part;
      if (trajectory.format === "chat") trajectory.format = "harbor-trial";
      if (!main) {
        trajectory.key = `part/${PART.exec(file)?.[1] ?? file}${trajectory.key === "" ? "" : `/${trajectory.key}`}`;
        trajectory.parentKey = "";
      }
      for (const message of [...parsed.warnings, ...(warning ? [warning] : [])])
        trajectory.warnings.push({ path: file, message });
    }
    results.push(part);
  }
  return results;
}

type Read = (file: string) => Promise<Buffer | null>;

async function jsonOf(read: Read, file: string): Promise<Json | undefined> {
  const bytes = await read(file);
  if (!bytes) return undefined;
  const parsed = parseJson(decodeText(bytes).text);
  return parsed.ok ? parsed.value : undefined;
}

type Outcome = {
  kind: "read";
  name: string;
  task: string | null;
  result: JsonObject | null;
  apply(trajectory: Trajectory): void;
};

async function readOutcome(
  read: Read,
  files: FileSet,
  entries: { name: string; bytes: number }[],
  folder: string,
): Promise<Outcome | (Parsed & { kind: "refused" })> {
  const bytes = await read("result.json");
  const parsed = bytes ? parseJson(decodeText(bytes).text) : null;
  if (parsed && !parsed.ok) {
    return {
      kind: "refused",
      part: "result.json",
      reason: parsed.reason,
      hint: "Without its result the trial's outcome is not known; fetch the file again.",
      position: parsed.position,
    };
  }
  const result = parsed && isObject(parsed.value) ? parsed.value : null;
  const config = (await jsonOf(read, "config.json")) ?? null;
  const usage = (await jsonOf(read, "agent/usage.json")) ?? null;
  const artifacts: { name: string; text: string }[] = [];
  const warnings: { path: string; message: string }[] = [];
  for (const { name, bytes: size } of entries) {
    if (!ARTIFACTS.test(name)) continue;
    if (size > MAX_ARTIFACT_BYTES) {
      warnings.push({
        path: name,
        message: `${size} bytes: too large to keep; only its first ${MAX_ARTIFACT_BYTES} are kept`,
      });
      artifacts.push({ name, text: decodeText(await files.head(name, MAX_ARTIFACT_BYTES)).text });
      continue;
    }
    const content = await read(name);
    if (!content) continue;
    const { text, warning } = decodeText(content);
    if (warning) warnings.push({ path: name, message: warning });
    artifacts.push({ name, text });
  }
  const task = nameAt(result, "task_name");
  const name = nameAt(result, "trial_name") ?? nameAt(config, "trial_name") ?? folder;
  const apply = (trajectory: Trajectory): void => {
    trajectory.artifacts.push(...artifacts);
    trajectory.warnings.push(...warnings);
    trajectory.name = name;
    trajectory.task = task ?? trajectory.task;
    if (result) applyResult(trajectory, result);
    else
      trajectory.warnings.push({ path: "result.json", message: "the trial has no result yet; its outcome is unknown" });
    applyUsage(trajectory, objectAt(result, "agent_result"), usage);
    if (Object.keys(trajectory.rewards).length === 0) rewardFile(trajectory, artifacts);
    trajectory.source = {
      trajectory: trajectory.source,
      result,
      config,
      usage,
      files: entries.map((entry) => entry.name),
    };
  };
  return { kind: "read", name, task, result, apply };
}

function applyResult(trajectory: Trajectory, result: JsonObject): void {
  const agent = objectAt(result, "agent_info");
  const model = objectAt(agent, "model_info");
  const run = objectAt(result, "agent_execution");
  const wrong = objectAt(result, "exception_info");
  trajectory.dataset = nameAt(result, "source");
  trajectory.agent = nameAt(agent, "name") ?? trajectory.agent;
  trajectory.agentVersion = nameAt(agent, "version") ?? trajectory.agentVersion;
  trajectory.model =
    nameAt(model, "name") ?? nameAt(objectAt(objectAt(result, "config"), "agent"), "model_name") ?? trajectory.model;
  trajectory.startedAt = instantOf(run?.started_at) ?? instantOf(result.started_at);
  trajectory.finishedAt = instantOf(run?.finished_at) ?? instantOf(result.finished_at);
  trajectory.durationMs = between(trajectory.startedAt, trajectory.finishedAt);
  setRewards(trajectory, objectAt(result, "verifier_result")?.rewards, "/verifier_result/rewards");
  if (wrong) {
    trajectory.exception = {
      type: nameAt(wrong, "exception_type") ?? "exception",
      message: stringAt(wrong, "exception_message"),
      traceback: stringAt(wrong, "exception_traceback"),
    };
    trajectory.exitStatus = trajectory.exception.type;
  }
}

/** The result's token counts; where it has none, the agent's own usage.json. A cost of 0 means unknown. */
function applyUsage(trajectory: Trajectory, result: JsonObject | null, own: Json): void {
  const { usage } = trajectory;
  usage.promptTokens = numberAt(result, "n_input_tokens") ?? numberAt(own, "prompt_tokens") ?? usage.promptTokens;
  usage.completionTokens =
    numberAt(result, "n_output_tokens") ?? numberAt(own, "completion_tokens") ?? usage.completionTokens;
  usage.cachedTokens = numberAt(result, "n_cache_tokens") ?? usage.cachedTokens;
  usage.reasoningTokens = numberAt(own, "reasoning_tokens") ?? usage.reasoningTokens;
  usage.costUsd = numberAt(result, "cost_usd") || numberAt(own, "cost_usd") || usage.costUsd || null;
}

/** The verifier's reward file, for a trial whose result does not repeat it. */
function rewardFile(trajectory: Trajectory, artifacts: { name: string; text: string }[]): void {
  const json = artifacts.find((item) => item.name === "verifier/reward.json");
  const parsed = json ? parseJson(json.text) : null;
  if (parsed?.ok) setRewards(trajectory, parsed.value, "verifier/reward.json");
  const plain = artifacts.find((item) => item.name === "verifier/reward.txt");
  if (trajectory.reward === null && plain) setRewards(trajectory, { reward: plain.text.trim() }, "verifier/reward.txt");
}
