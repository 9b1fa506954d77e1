import { planOf, variablesOf } from "@/lib/environment/plan";
import { roleEnvironment } from "@/lib/profile/perform";
import { SYSTEM_MESSAGE } from "@/lib/profile/proposal";
import { COMMAND_SECONDS, STEP_LIMIT } from "@/lib/profile/settings";
import { behaviorPrompt } from "@/lib/reward/behaviorJudge/model";
import { SUBMIT_MARKER } from "@/lib/sandbox/observation";
import { quote } from "@/lib/sandbox/quote";
import type { TrainStart } from "@/lib/train/rollout/starts";
import type { TrainSettings } from "@/lib/train/settings";
import { ENV_NAME } from "./contract";
import { type ChatMessage, messagesOf } from "./messages";

/** A command that is run again before the rollout, and what it has to print. */
export interface ReplayRow {
  command: string;
  expected: string;
  exit_code: number | null;
  basis: "observation" | "output";
}

/** What the environment package reads of a row. */
export interface EnvConfig {
  env_name: typeof ENV_NAME;
  task_id: string;
  image: string;
  /** Read by the trainer's loop; `step_limit` is the same number for the environment, which is not handed this one. */
  max_steps: number;
  step_limit: number;
  prefix_id: number | null;
  setup: string[];
  replay: ReplayRow[];
  window: number;
  judge: { system: string; user: readonly [string, string, string]; skip_when_failed: boolean } | null;
}

/** A dataset row of open-instruct (recipe.md 12.A): the prefix is the prompt, so it gets no loss. */
export interface Row {
  messages: ChatMessage[];
  ground_truth: string;
  dataset: "passthrough";
  env_config: EnvConfig;
  source: string;
}

/** A start cannot be written as a row. */
export interface Refused {
  refused: string;
}

/** Variables that every sandbox of ours has, so that a replay prints what was recorded (lib/sandbox/host/environment.ts). */
const QUIET =
  "export TERM=dumb TZ=UTC LC_ALL=C.UTF-8 PAGER=cat PIP_PROGRESS_BAR=off TQDM_DISABLE=1 NO_COLOR=1 PYTHONHASHSEED=0";

function setupOf(start: TrainStart): string[] {
  const spec = start.environment.spec;
  if (spec === null) return [QUIET];
  const own = Object.entries(variablesOf(spec)).filter(([name]) => /^[A-Za-z_]\w*$/.test(name) && name !== "PATH");
  const exports = own.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `export ${name}=${quote(value)}`);
  return [QUIET, ...exports, `cd ${quote(planOf(spec).workdir)}`];
}

/** Seconds a command may run in these environments; the longest where they differ. */
export const commandSeconds = (settings: TrainSettings, kinds: readonly string[]): number =>
  settings.commandSeconds ?? Math.max(...kinds.map((kind) => COMMAND_SECONDS[kind === "tiny" ? "tiny" : "other"]));

/** The row of a start, or why there is none. Hidden tests are no part of it. */
export function rowOf(start: TrainStart, settings: TrainSettings, task: { id: string; image: string }): Row | Refused {
  const { environment, prefix } = start;
  const { instruction } = roleEnvironment(environment);
  const { reward } = settings;
  const limit = settings.stepLimit ?? STEP_LIMIT[environment.kind === "tiny" ? "tiny" : "other"];
  const steps = Math.max(1, limit - (settings.prefixCounts ? (prefix?.steps ?? 0) : 0));
  let replay: ReplayRow[] = [];
  if (prefix) {
    if (prefix.replay.kind === "void")
      return { refused: `entry ${prefix.replay.index} of its trajectory ${prefix.replay.reason}` };
    if (prefix.replay.ownShells)
      return { refused: "it was recorded with a shell of its own for every command, and the trainer's shell persists" };
    replay = prefix.replay.steps.map(({ command, recorded, basis }) => ({
      command,
      expected: recorded.text,
      exit_code: recorded.exitCode,
      basis,
    }));
    if (replay.some((r) => r.expected.includes(SUBMIT_MARKER)))
      return { refused: "one of its outputs holds the submit marker, which the trainer's harness takes for the end" };
  }
  const messages = messagesOf(prefix?.seen ?? [], SYSTEM_MESSAGE, instruction);
  if (messages.at(-1)?.role === "assistant")
    return { refused: "it ends with a reply that nothing answered, which the trainer drops from a prompt" };
  let judge: EnvConfig["judge"] = null;
  if (reward.kind === "outcome-and-behavior") {
    if (!prefix?.mode) return { refused: "it was drawn for no misbehavior, so there is nothing to judge" };
    const { system, user } = behaviorPrompt(prefix.mode, instruction);
    judge = { system, user, skip_when_failed: reward.skipJudgeWhenFailed };
  }
  return {
    messages,
    ground_truth: task.id,
    dataset: "passthrough",
    env_config: {
      env_name: ENV_NAME,
      task_id: task.id,
      image: task.image,
      max_steps: steps,
      step_limit: steps,
      prefix_id: prefix?.id ?? null,
      setup: setupOf(start),
      replay,
      window: reward.kind === "outcome-and-behavior" ? reward.window : 5,
      judge,
    },
    source: `misstep ${settings.recipe}`,
  };
}

/** A row as verl's dataset reads it: the same prompt and environment, and which agent loop runs it. */
export const verlRow = ({ messages, env_config, source }: Row, index: number) => ({
  data_source: source,
  agent_name: ENV_NAME,
  prompt: messages,
  ability: "terminal",
  reward_model: { style: "rule", ground_truth: env_config.task_id },
  extra_info: { index, env_config },
});
