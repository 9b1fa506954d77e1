/** The trainer that the bundle is written for: the recipe's own (recipe.md 0 and 12.A). */
export const ENGINE = {
  name: "open-instruct",
  dialect: "tmax-1cce58a2",
  repository: "https://github.com/hamishivi/tmax",
  commit: "1cce58a2627c39e41ab2d3033ddbb082787da23a",
  folder: "training/open-instruct",
  entry: "open_instruct/grpo_fast.py",
  script: "scripts/tmax/RL/qwen35_4b.sh",
} as const;

/** The other trainer that has the same loss (recipe.md 12.C). */
export const VERL = {
  name: "verl",
  repository: "https://github.com/verl-project/verl",
  commit: "1dda039b9c63",
} as const;

/** Flags of grpo_fast.py that are known at ENGINE.commit: those of ENGINE.script, and those recipe.md 1 and 12.A read in its code. */
export const KNOWN_FLAGS: ReadonlySet<string> = new Set([
  "active_sampling",
  "advantage_normalization_type",
  "async_steps",
  "backend_timeout",
  "beta",
  "checkpoint_state_freq",
  "dataset_mixer_list",
  "dataset_mixer_list_splits",
  "deepspeed_stage",
  "dppo_divergence_threshold",
  "dppo_divergence_type",
  "exp_name",
  "gradient_checkpointing",
  "inflight_updates",
  "learning_rate",
  "liger_grpo_loss_chunk_size",
  "lm_head_fp32",
  "local_eval_every",
  "loss_denominator",
  "loss_fn",
  "lr_scheduler_type",
  "max_prompt_token_length",
  "max_steps",
  "model_name_or_path",
  "num_epochs",
  "num_learners_per_node",
  "num_samples_per_prompt_rollout",
  "num_unique_prompts_rollout",
  "output_dir",
  "pack_length",
  "per_device_train_batch_size",
  "per_turn_max_tokens",
  "pool_size",
  "push_to_hub",
  "response_length",
  "rollouts_save_path",
  "save_filtered_rollouts",
  "save_freq",
  "save_traces",
  "save_trainer_logprobs",
  "seed",
  "sequence_parallel_size",
  "system_prompt_override_file",
  "temperature",
  "tool_configs",
  "tool_parser_type",
  "tools",
  "total_episodes",
  "truncated_importance_sampling_ratio_cap",
  "try_launch_beaker_eval_jobs_on_weka",
  "use_liger_grpo_loss",
  "use_vllm_logprobs",
  "verification_reward",
  "vllm_enable_prefix_caching",
  "vllm_gdn_prefill_backend",
  "vllm_num_engines",
  "vllm_tensor_parallel_size",
  "with_tracking",
]);

/** Name of our environment in the trainer's registry. */
export const ENV_NAME = "misstep_prefix";

/** Tokens (recipe.md 2): of a turn, of a whole response, and the prompt filter of the script, which drops nearly every prefix. */
export const TOKENS = { turn: 16_384, response: 65_536, prompt: 2_048 } as const;
