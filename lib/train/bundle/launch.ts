import { ENGINE, ENV_NAME, TOKENS } from "./contract";
import type { BundleSettings } from "./settings";

/** What the launch script needs to know of the rows. */
export interface LaunchFacts {
  /** Longest prompt that is let through, in tokens. */
  promptTokens: number;
  /** Most steps of any row. */
  maxSteps: number;
  commandSeconds: number;
}

const AHEAD = 4;

/** Values of --tool_configs; paths and the judge are filled in by the script. */
const toolConfigs = ({ train }: BundleSettings, facts: LaunchFacts): Record<string, unknown> => ({
  image: "python:3.12-slim",
  timeout: facts.commandSeconds,
  test_timeout: 600,
  tests_at_limit: train.testsAtLimit,
  tool_call_format_error_feedback: train.formatErrors === "feedback",
  judge_temperature: judgeTemperature(train),
});

function judgeTemperature({ reward }: BundleSettings["train"]): number | null {
  if (reward.kind !== "outcome-and-behavior") return null;
  const given = reward.judge.options.temperature;
  return typeof given === "number" ? given : 0.7;
}

/** A flag with its words; a word that begins with $ is the shell's. */
type Flag = [name: string, ...words: (string | number)[]];

/** The flags of the training, in the order of the script they are taken from (ENGINE.script). */
export function flagsOf(settings: BundleSettings, facts: LaunchFacts): Flag[] {
  const { train } = settings;
  if (train.loss.kind !== "dppo") throw new Error("checkBundle comes first");
  return [
    ["dataset_mixer_list", '"$BUNDLE/rows.jsonl"', "1.0"],
    ["dataset_mixer_list_splits", "train"],
    ["max_prompt_token_length", facts.promptTokens],
    ["per_turn_max_tokens", TOKENS.turn],
    ["response_length", TOKENS.response],
    ["pack_length", facts.promptTokens + TOKENS.response],
    ["per_device_train_batch_size", 1],
    ["num_unique_prompts_rollout", train.batch],
    ["num_samples_per_prompt_rollout", train.group],
    ["async_steps", AHEAD],
    ["model_name_or_path", '"$MODEL"'],
    ["temperature", "1.0"],
    ["learning_rate", train.learningRate],
    ["total_episodes", train.steps * train.batch * train.group],
    ["lr_scheduler_type", "constant"],
    ["deepspeed_stage", 3],
    ["sequence_parallel_size", '"$SEQUENCE_PARALLEL"'],
    ["num_epochs", 1],
    ["num_learners_per_node", '"$LEARNERS"'],
    ["vllm_num_engines", '"$ENGINES"'],
    ["vllm_tensor_parallel_size", 1],
    ["beta", "0.0"],
    ["use_vllm_logprobs", "true"],
    ["truncated_importance_sampling_ratio_cap", "0.0"],
    ["seed", train.seed],
    ["gradient_checkpointing"],
    ["vllm_enable_prefix_caching"],
    ["push_to_hub", "false"],
    ["save_traces"],
    ["save_trainer_logprobs", "true"],
    ["save_filtered_rollouts"],
    ["tools", ENV_NAME],
    ["tool_configs", '"$TOOL_CONFIGS"'],
    ["pool_size", Math.min(512, AHEAD * train.batch * train.group)],
    ["max_steps", facts.maxSteps],
    ["verification_reward", "1.0"],
    ["tool_parser_type", "vllm_qwen3_xml"],
    ...(train.resample > 0 ? [["active_sampling"] as Flag] : []),
    ["backend_timeout", 1200],
    ["vllm_gdn_prefill_backend", "triton"],
    ["checkpoint_state_freq", 10],
    ["inflight_updates", "true"],
    ["lm_head_fp32", "true"],
    ["use_liger_grpo_loss"],
    ["liger_grpo_loss_chunk_size", 8],
    ["advantage_normalization_type", train.advantage],
    ...(train.denominator === "token" ? [] : [["loss_denominator", denominator(train)] as Flag]),
    ["loss_fn", "dppo"],
    ["dppo_divergence_type", train.loss.divergence],
    ["dppo_divergence_threshold", train.loss.threshold],
    ["rollouts_save_path", '"$ROLLOUTS"'],
    ["output_dir", '"$OUTPUT"'],
    ["exp_name", '"$NAME"'],
    ["local_eval_every", 10],
    ["save_freq", train.saveEvery],
    ["try_launch_beaker_eval_jobs_on_weka", "False"],
  ];
}

const denominator = ({ denominator: kind, constant }: BundleSettings["train"]): string | number =>
  kind === "constant" ? constant : kind;

const shellSafe = (text: string): string => text.replace(/[^A-Za-z0-9._/-]+/g, "-");

/** launch.sh: registers the environment, then starts the trainer inside a Ray cluster that is there. */
export function launchScript(settings: BundleSettings, facts: LaunchFacts): string {
  const judged = settings.train.reward.kind === "outcome-and-behavior";
  const flags = flagsOf(settings, facts).map(([name, ...words]) => `  --${[name, ...words].join(" ")}`);
  const sequence = settings.learners % 4 === 0 ? 4 : 1;
  return `#!/bin/bash
# Trains with ${ENGINE.name} at ${ENGINE.repository} commit ${ENGINE.commit}, folder ${ENGINE.folder}.
# Flags are those of ${ENGINE.script} at that commit; other versions name some of them differently.
set -euo pipefail
BUNDLE="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
ENGINE="\${1:?Usage: launch.sh CHECKOUT   (the folder that holds open_instruct/)}"
ENGINE="$(cd "$ENGINE" && pwd)"
NAME="\${NAME:-${shellSafe(`misstep-${settings.train.recipe.replace(/\+/g, "-plus")}`)}}"
MODEL="\${MODEL:-${shellSafe(settings.model)}}"
LEARNERS="\${LEARNERS:-${settings.learners}}"
ENGINES="\${ENGINES:-${settings.engines}}"
SEQUENCE_PARALLEL="\${SEQUENCE_PARALLEL:-${sequence}}"
ROLLOUTS="\${ROLLOUTS:-$PWD/rollouts}"
OUTPUT="\${OUTPUT:-$PWD/output}"
PYTHON="\${PYTHON:-python}"
${
  judged
    ? `# The behavior judge: an OpenAI-compatible address (up to /v1) and a model. Its key, when it needs one, is read from
# MISSTEP_JUDGE_KEY on every node, so export it before "ray start".
: "\${MISSTEP_JUDGE_URL:?set it to the address of the judge}"
: "\${MISSTEP_JUDGE_MODEL:?set it to the model that judges}"
export MISSTEP_JUDGE_URL MISSTEP_JUDGE_MODEL
`
    : ""
}export VLLM_ALLOW_INSECURE_SERIALIZATION=1 VLLM_DISABLE_COMPILE_CACHE=1 VLLM_USE_V1=1
export PYTORCH_ALLOC_CONF=expandable_segments:True SWERL_DOCKER_AUTO_REMOVE=1
# A sandbox that cannot be had must not look like a task that was not solved.
unset SWERL_RESET_FAILURE_ZERO_REWARD
mkdir -p "$ROLLOUTS" "$OUTPUT"
"$PYTHON" "$BUNDLE/environment/register.py" "$ENGINE"
TOOL_CONFIGS="$("$PYTHON" - "$BUNDLE/tasks" "$ROLLOUTS/steps" "\${MISSTEP_JUDGE_URL:-}" "\${MISSTEP_JUDGE_MODEL:-}" <<'PY'
import json, sys
given = json.loads(r'''${JSON.stringify(toolConfigs(settings, facts))}''')
names = ("task_data_dir", "step_log_dir", "judge_url", "judge_model")
print(json.dumps({**given, **dict(zip(names, sys.argv[1:]))}))
PY
)"
cd "$ENGINE"
exec "$PYTHON" ${ENGINE.entry} \\
${flags.join(" \\\n")} \${TRACKING:+--with_tracking}
`;
}

/** Builds the images that rows name, where docker or podman is. */
export const buildScript = (folders: readonly { folder: string; image: string }[]): string => `#!/bin/bash
# Builds the containers of the tasks. ENGINE: docker or podman. BASE: what stands for "misstep/base", Debian 12 with the
# usual tools; recorded outputs are compared with what it prints, so use the one the prefixes were rerun on.
set -euo pipefail
cd "$(dirname "\${BASH_SOURCE[0]}")"
ENGINE="\${ENGINE:-docker}"
BASE="\${BASE:-debian:12}"
"$ENGINE" image inspect misstep/base > /dev/null 2>&1 || "$ENGINE" tag "$BASE" misstep/base || { "$ENGINE" pull "$BASE" && "$ENGINE" tag "$BASE" misstep/base; }
${folders.map(({ folder, image }) => `"$ENGINE" build -f ${folder}/Dockerfile.misstep -t ${image} ${folder}`).join("\n")}
`;
