import { ENV_NAME, TOKENS } from "./contract";
import type { LaunchFacts } from "./launch";
import type { BundleSettings } from "./settings";

/** Settings of verl as it takes them on its command line (recipe.md 1 and 12.C). */
export function verlOverrides({ train, model }: BundleSettings, facts: LaunchFacts): [name: string, value: string][] {
  if (train.loss.kind !== "dppo") throw new Error("checkBundle comes first");
  const threshold = String(train.loss.threshold);
  return [
    ["algorithm.adv_estimator", "grpo"],
    ["algorithm.norm_adv_by_std_in_grpo", train.advantage === "standard" ? "True" : "False"],
    ["algorithm.use_kl_in_reward", "False"],
    ["algorithm.rollout_correction.bypass_mode", "True"],
    ["data.return_raw_chat", "True"],
    ["data.train_batch_size", String(train.batch)],
    ["data.max_prompt_length", String(facts.promptTokens)],
    ["data.max_response_length", String(TOKENS.response)],
    ["data.truncation", "error"],
    ["actor_rollout_ref.model.path", model],
    ["actor_rollout_ref.actor.policy_loss.loss_mode", `dppo_${train.loss.divergence}`],
    ["actor_rollout_ref.actor.clip_ratio_low", threshold],
    ["actor_rollout_ref.actor.clip_ratio_high", threshold],
    ["actor_rollout_ref.actor.clip_ratio_c", "10000.0"],
    ["actor_rollout_ref.actor.loss_agg_mode", aggregation(train.denominator)],
    ["actor_rollout_ref.actor.use_kl_loss", "False"],
    ["actor_rollout_ref.actor.optim.lr", String(train.learningRate)],
    ["actor_rollout_ref.actor.ppo_mini_batch_size", String(train.batch)],
    ["actor_rollout_ref.rollout.name", "vllm"],
    ["actor_rollout_ref.rollout.mode", "async"],
    ["actor_rollout_ref.rollout.n", String(train.group)],
    ["actor_rollout_ref.rollout.temperature", "1.0"],
    ["actor_rollout_ref.rollout.calculate_log_probs", "True"],
    ["actor_rollout_ref.rollout.multi_turn.format", '"${TOOL_FORMAT:-hermes}"'],
    ["actor_rollout_ref.rollout.agent.default_agent_loop", ENV_NAME],
    ["actor_rollout_ref.rollout.agent.agent_loop_config_path", '"$BUNDLE/agent-loop.yaml"'],
    ["trainer.total_training_steps", String(train.steps)],
    ["trainer.save_freq", String(train.saveEvery)],
    ["trainer.n_gpus_per_node", "8"],
    ["trainer.nnodes", "1"],
  ];
}

/** How token losses are added up: over all tokens, over each rollout's, or by a constant. */
const aggregation = (denominator: BundleSettings["train"]["denominator"]): string =>
  ({ token: "token-mean", sequence: "seq-mean-token-mean", constant: "seq-mean-token-sum-norm" })[denominator];

/** Names the agent loop for verl's workers. */
export const AGENT_LOOP_CONFIG = `- name: ${ENV_NAME}\n  _target_: agent_loop.MisstepAgentLoop\n`;

/** launch-verl.sh: makes the data set and starts the trainer. */
export function verlScript(settings: BundleSettings, facts: LaunchFacts): string {
  const judged = settings.train.reward.kind === "outcome-and-behavior";
  const options = {
    backend: "docker",
    timeout: facts.commandSeconds,
    test_timeout: 600,
    tests_at_limit: settings.train.testsAtLimit,
  };
  return `#!/bin/bash
# Trains with verl. Containers are started through docker on the machines that roll out.
set -euo pipefail
BUNDLE="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
PYTHON="\${PYTHON:-python3}"
STEPS="\${STEPS:-$PWD/steps}"
${judged ? ': "${MISSTEP_JUDGE_URL:?set it to the address of the judge}"\n: "${MISSTEP_JUDGE_MODEL:?set it to the model that judges}"\nexport MISSTEP_JUDGE_URL MISSTEP_JUDGE_MODEL\n' : ""}export PYTHONPATH="$BUNDLE/environment\${PYTHONPATH:+:$PYTHONPATH}"
MISSTEP_ENV_OPTIONS="$("$PYTHON" -c 'import json, sys; print(json.dumps({**json.loads(sys.argv[1]), "task_data_dir": sys.argv[2], "step_log_dir": sys.argv[3]}))' '${JSON.stringify(options)}' "$BUNDLE/tasks" "$STEPS")"
export MISSTEP_ENV_OPTIONS
"$PYTHON" -c 'import sys, datasets; datasets.load_dataset("json", data_files=sys.argv[1], split="train").to_parquet(sys.argv[2])' "$BUNDLE/rows.verl.jsonl" "$PWD/rows.parquet"
exec "$PYTHON" -m verl.trainer.main_ppo \\
  data.train_files="$PWD/rows.parquet" data.val_files="$PWD/rows.parquet" trainer.val_before_train=False \\
${verlOverrides(settings, facts)
  .map(([name, value]) => `  ${name}=${value}`)
  .join(" \\\n")}
`;
}
