CREATE TABLE `corpus_count` (
	`environment_id` integer NOT NULL,
	`checkpoint_id` integer NOT NULL,
	`format` text NOT NULL,
	`outcome` text NOT NULL,
	`trajectories` integer NOT NULL,
	`steps` integer NOT NULL,
	`error_steps` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `checkpoint_id`, `format`, `outcome`)
) WITHOUT ROWID, STRICT;
--> statement-breakpoint
CREATE TABLE `error_step` (
	`step_id` integer PRIMARY KEY NOT NULL,
	`trajectory_id` integer NOT NULL,
	`environment_id` integer,
	`checkpoint_id` integer,
	`active` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `error_step_trajectory` ON `error_step` (`trajectory_id`);--> statement-breakpoint
CREATE INDEX `error_step_active` ON `error_step` (`active`,`step_id`);--> statement-breakpoint
CREATE TABLE `error_type` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`taxonomy_id` integer NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`definition` text NOT NULL,
	`excludes` text DEFAULT '[]' NOT NULL,
	`example` text,
	`looks_for` text,
	`named` integer DEFAULT 1 NOT NULL,
	`rank` integer DEFAULT 0 NOT NULL,
	`lineage` text DEFAULT '[]' NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`taxonomy_id`) REFERENCES `taxonomy`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `error_type_slug` ON `error_type` (`taxonomy_id`,`slug`);--> statement-breakpoint
CREATE TABLE `label` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`step_id` integer NOT NULL,
	`error_type_id` integer NOT NULL,
	`value` text DEFAULT 'yes' NOT NULL,
	`source` text NOT NULL,
	`localizer_id` integer,
	`person_id` integer,
	`localization_id` integer,
	`reason` text,
	`current` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`error_type_id`) REFERENCES `error_type`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`localizer_id`) REFERENCES `localizer`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`localization_id`) REFERENCES `localization`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `label_step` ON `label` (`step_id`);--> statement-breakpoint
CREATE INDEX `label_type` ON `label` (`error_type_id`,`current`,`step_id`);--> statement-breakpoint
CREATE TABLE `localization` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`step_id` integer NOT NULL,
	`localizer_id` integer NOT NULL,
	`verdict` text NOT NULL,
	`reason` text,
	`command_seen` text,
	`evidence` text,
	`reply` text,
	`usage_id` integer,
	`current` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`localizer_id`) REFERENCES `localizer`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `localization_step` ON `localization` (`step_id`);--> statement-breakpoint
CREATE INDEX `localization_current` ON `localization` (`localizer_id`,`current`,`step_id`);--> statement-breakpoint
CREATE TABLE `localizer` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `localizer_identity` ON `localizer` (`kind`,`name`,`version`);--> statement-breakpoint
CREATE TABLE `review` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`step_id` integer NOT NULL,
	`person_id` integer,
	`status` text DEFAULT 'open' NOT NULL,
	`claimed_until` integer,
	`opened_at` integer,
	`answered_at` integer,
	`answer` text,
	`reason` text,
	`undone_by` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `review_step` ON `review` (`step_id`);--> statement-breakpoint
CREATE INDEX `review_person` ON `review` (`person_id`,`status`);--> statement-breakpoint
CREATE TABLE `taxonomy` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`version` integer NOT NULL,
	`parent_id` integer,
	`origin` text NOT NULL,
	`note` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `taxonomy_version` ON `taxonomy` (`name`,`version`);--> statement-breakpoint
CREATE TABLE `trajectory_type` (
	`scope` integer NOT NULL,
	`trajectory_id` integer NOT NULL,
	`error_steps` integer NOT NULL,
	PRIMARY KEY(`scope`, `trajectory_id`)
) WITHOUT ROWID, STRICT;
--> statement-breakpoint
CREATE INDEX `trajectory_type_trajectory` ON `trajectory_type` (`trajectory_id`);--> statement-breakpoint
CREATE TABLE `type_count` (
	`scope` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`checkpoint_id` integer NOT NULL,
	`error_steps` integer NOT NULL,
	`trajectories` integer NOT NULL,
	PRIMARY KEY(`scope`, `environment_id`, `checkpoint_id`)
) WITHOUT ROWID, STRICT;
--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor` text NOT NULL,
	`verb` text NOT NULL,
	`subject` text NOT NULL,
	`details` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `job` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`params` text NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`listed` integer DEFAULT 0 NOT NULL,
	`items_total` integer DEFAULT 0 NOT NULL,
	`items_done` integer DEFAULT 0 NOT NULL,
	`items_failed` integer DEFAULT 0 NOT NULL,
	`counts` text DEFAULT '{}' NOT NULL,
	`error` text,
	`cancel_requested` integer DEFAULT 0 NOT NULL,
	`lease_owner` text,
	`lease_until` integer,
	`heartbeat_at` integer,
	`crashes` integer DEFAULT 0 NOT NULL,
	`requested_by` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`started_at` integer,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `job_status` ON `job` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `job_event` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` integer NOT NULL,
	`level` text NOT NULL,
	`message` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`job_id`) REFERENCES `job`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `job_event_job` ON `job_event` (`job_id`,`id`);--> statement-breakpoint
CREATE TABLE `job_item` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` integer NOT NULL,
	`key` text NOT NULL,
	`payload` text NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`result` text,
	`error` text,
	`finished_at` integer,
	FOREIGN KEY (`job_id`) REFERENCES `job`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `job_item_key` ON `job_item` (`job_id`,`key`);--> statement-breakpoint
CREATE INDEX `job_item_status` ON `job_item` (`job_id`,`status`,`id`);--> statement-breakpoint
CREATE TABLE `prefix` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`draw_id` integer,
	`step_id` integer NOT NULL,
	`error_type_id` integer,
	`environment_id` integer,
	`split` text,
	`status` text DEFAULT 'pending' NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`study_id`) REFERENCES `study`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`draw_id`) REFERENCES `prefix_draw`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `prefix_step` ON `prefix` (`draw_id`,`step_id`);--> statement-breakpoint
CREATE INDEX `prefix_type` ON `prefix` (`error_type_id`,`status`);--> statement-breakpoint
CREATE TABLE `prefix_draw` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`params` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`study_id`) REFERENCES `study`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `rerun` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`prefix_id` integer,
	`step_id` integer NOT NULL,
	`repeat` integer NOT NULL,
	`driver` text NOT NULL,
	`verdict` text NOT NULL,
	`void_reason` text,
	`first_difference` integer,
	`cause` text,
	`exact_kept` integer,
	`normalised_kept` integer,
	`exit_code_kept` integer,
	`image_digest` text,
	`host` text,
	`duration_ms` integer,
	`job_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`prefix_id`) REFERENCES `prefix`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `rerun_identity` ON `rerun` (`prefix_id`,`repeat`,`job_id`);--> statement-breakpoint
CREATE INDEX `rerun_by_step` ON `rerun` (`step_id`);--> statement-breakpoint
CREATE TABLE `rerun_step` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rerun_id` integer NOT NULL,
	`step_id` integer NOT NULL,
	`equal` integer NOT NULL,
	`normalised_equal` integer,
	`exit_code` integer,
	`duration_ms` integer,
	`output_hash` text,
	`cause` text,
	FOREIGN KEY (`rerun_id`) REFERENCES `rerun`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `rerun_step_by_rerun` ON `rerun_step` (`rerun_id`);--> statement-breakpoint
CREATE TABLE `sample` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`prefix_id` integer NOT NULL,
	`checkpoint_id` integer NOT NULL,
	`evaluation_id` integer,
	`number` integer NOT NULL,
	`trajectory_id` integer,
	`status` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`prefix_id`) REFERENCES `prefix`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`checkpoint_id`) REFERENCES `checkpoint`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `sample_identity` ON `sample` (`evaluation_id`,`prefix_id`,`checkpoint_id`,`number`);--> statement-breakpoint
CREATE TABLE `verdict` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sample_id` integer,
	`trajectory_id` integer,
	`error_type_id` integer NOT NULL,
	`judge` text NOT NULL,
	`judge_version` text NOT NULL,
	`person_id` integer,
	`answer` text NOT NULL,
	`score` real,
	`first_step` integer,
	`last_step` integer,
	`reply` text,
	`usage_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `verdict_sample` ON `verdict` (`sample_id`);--> statement-breakpoint
CREATE INDEX `verdict_trajectory` ON `verdict` (`trajectory_id`);--> statement-breakpoint
CREATE TABLE `blob` (
	`hash` text PRIMARY KEY NOT NULL,
	`codec` text NOT NULL,
	`bytes` integer NOT NULL,
	`data` blob NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `checkpoint` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`kind` text DEFAULT 'imported' NOT NULL,
	`parent_id` integer,
	`training_run_id` integer,
	`training_step` integer,
	`card` text DEFAULT '{}' NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `checkpoint_name_unique` ON `checkpoint` (`name`);--> statement-breakpoint
CREATE TABLE `environment` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`dataset` text DEFAULT '' NOT NULL,
	`kind` text DEFAULT 'imported' NOT NULL,
	`family` text,
	`seed` integer,
	`split` text,
	`directory` text,
	`spec` text DEFAULT '{}' NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `environment_name` ON `environment` (`name`,`dataset`);--> statement-breakpoint
CREATE TABLE `person` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`role` text DEFAULT 'annotator' NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `person_name_unique` ON `person` (`name`);--> statement-breakpoint
CREATE TABLE `setting` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `study` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`kind` text DEFAULT 'own' NOT NULL,
	`settings` text DEFAULT '{}' NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `study_name_unique` ON `study` (`name`);--> statement-breakpoint
CREATE TABLE `evaluation` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`protocol` text NOT NULL,
	`job_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`study_id`) REFERENCES `study`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `price` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model` text NOT NULL,
	`currency` text NOT NULL,
	`usd_rate` real,
	`input` real NOT NULL,
	`cached` real,
	`output` real NOT NULL,
	`valid_from` integer NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `price_identity` ON `price` (`model`,`valid_from`);--> statement-breakpoint
CREATE TABLE `rollout` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`group_id` integer NOT NULL,
	`number` integer NOT NULL,
	`trajectory_id` integer,
	`outcome_reward` real,
	`behavior_reward` real,
	`reward` real,
	`advantage` real,
	`tokens` integer,
	`kept_tokens` integer,
	`void_reason` text,
	FOREIGN KEY (`group_id`) REFERENCES `rollout_group`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `rollout_identity` ON `rollout` (`group_id`,`number`);--> statement-breakpoint
CREATE TABLE `rollout_group` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`training_run_id` integer NOT NULL,
	`step` integer NOT NULL,
	`number` integer NOT NULL,
	`prefix_id` integer,
	`environment_id` integer,
	`dead` text,
	`mean_reward` real,
	FOREIGN KEY (`training_run_id`) REFERENCES `training_run`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `rollout_group_identity` ON `rollout_group` (`training_run_id`,`step`,`number`);--> statement-breakpoint
CREATE TABLE `score` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`evaluation_id` integer NOT NULL,
	`checkpoint_id` integer,
	`environment_id` integer,
	`run` integer NOT NULL,
	`metric` text NOT NULL,
	`value` real,
	`trajectory_id` integer,
	`void_reason` text,
	FOREIGN KEY (`evaluation_id`) REFERENCES `evaluation`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`checkpoint_id`) REFERENCES `checkpoint`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `score_evaluation` ON `score` (`evaluation_id`,`checkpoint_id`,`environment_id`,`run`);--> statement-breakpoint
CREATE TABLE `training_run` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`name` text NOT NULL,
	`recipe` text NOT NULL,
	`settings` text NOT NULL,
	`launcher` text NOT NULL,
	`base_checkpoint_id` integer,
	`status` text DEFAULT 'queued' NOT NULL,
	`seed` integer DEFAULT 0 NOT NULL,
	`job_id` integer,
	`best_step` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`study_id`) REFERENCES `study`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`base_checkpoint_id`) REFERENCES `checkpoint`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `training_step` (
	`training_run_id` integer NOT NULL,
	`step` integer NOT NULL,
	`metrics` text NOT NULL,
	`checkpoint_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	PRIMARY KEY(`training_run_id`, `step`),
	FOREIGN KEY (`training_run_id`) REFERENCES `training_run`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID, STRICT;
--> statement-breakpoint
CREATE TABLE `usage` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model` text NOT NULL,
	`role` text NOT NULL,
	`prompt_version` text,
	`input_tokens` integer,
	`cached_tokens` integer,
	`output_tokens` integer,
	`reasoning_tokens` integer,
	`duration_ms` integer,
	`price_id` integer,
	`job_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `usage_job` ON `usage` (`job_id`);--> statement-breakpoint
CREATE TABLE `chunk` (
	`id` integer PRIMARY KEY NOT NULL,
	`first` integer NOT NULL,
	`count` integer NOT NULL,
	`data` blob NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `correction` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`step_id` integer NOT NULL,
	`source` text NOT NULL,
	`source_name` text,
	`thinking` text,
	`command` text NOT NULL,
	`attempt` integer NOT NULL,
	`accepted` integer NOT NULL,
	`reply` text,
	`usage_id` integer,
	`details` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `correction_step` ON `correction` (`step_id`);--> statement-breakpoint
CREATE TABLE `import_file` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` integer NOT NULL,
	`key` text NOT NULL,
	`path` text NOT NULL,
	`status` text NOT NULL,
	`position` text,
	`reason` text NOT NULL,
	`hint` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `import_file_job` ON `import_file` (`job_id`,`status`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `import_file_identity` ON `import_file` (`job_id`,`key`,`reason`);--> statement-breakpoint
CREATE TABLE `index_pending` (
	`trajectory_id` integer PRIMARY KEY NOT NULL,
	FOREIGN KEY (`trajectory_id`) REFERENCES `trajectory`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `step` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`number` integer,
	`turn` integer,
	`actor` text,
	`note` text,
	`tool` text,
	`preview` text NOT NULL,
	`exit_code` integer,
	`duration_ms` integer,
	`prompt_tokens` integer,
	`completion_tokens` integer,
	`cost_usd` real,
	`started_at` integer,
	`output_chars` integer NOT NULL,
	`flags` integer DEFAULT 0 NOT NULL,
	`chunk` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `trajectory` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`environment_id` integer,
	`checkpoint_id` integer,
	`task` text,
	`model` text,
	`name` text,
	`agent` text,
	`format` text NOT NULL,
	`format_version` text,
	`attempt` integer,
	`outcome` text NOT NULL,
	`reward` real,
	`exit_status` text,
	`exception_type` text,
	`steps` integer NOT NULL,
	`entries` integer NOT NULL,
	`error_steps` integer DEFAULT 0 NOT NULL,
	`tokens` integer,
	`prompt_tokens` integer,
	`completion_tokens` integer,
	`cached_tokens` integer,
	`cost_usd` real,
	`duration_ms` integer,
	`started_at` integer,
	`warnings` integer DEFAULT 0 NOT NULL,
	`parent_id` integer,
	`parent_step` integer,
	`superseded_by` integer,
	`content_hash` text NOT NULL,
	`source_key` text NOT NULL,
	`job_id` integer,
	`rules_version` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`study_id`) REFERENCES `study`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`checkpoint_id`) REFERENCES `checkpoint`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `trajectory_content` ON `trajectory` (`content_hash`);--> statement-breakpoint
CREATE INDEX `trajectory_source` ON `trajectory` (`source_key`);--> statement-breakpoint
CREATE INDEX `trajectory_parent` ON `trajectory` (`parent_id`);--> statement-breakpoint
CREATE INDEX `trajectory_environment` ON `trajectory` (`environment_id`,`checkpoint_id`);--> statement-breakpoint
CREATE INDEX `trajectory_checkpoint` ON `trajectory` (`checkpoint_id`);--> statement-breakpoint
CREATE INDEX `trajectory_task` ON `trajectory` (`task`);--> statement-breakpoint
CREATE INDEX `trajectory_model` ON `trajectory` (`model`);--> statement-breakpoint
CREATE INDEX `trajectory_started` ON `trajectory` (`started_at`);--> statement-breakpoint
CREATE INDEX `trajectory_steps` ON `trajectory` (`steps`);--> statement-breakpoint
CREATE INDEX `trajectory_errors` ON `trajectory` (`error_steps`);--> statement-breakpoint
CREATE INDEX `trajectory_tokens` ON `trajectory` (`tokens`);--> statement-breakpoint
CREATE INDEX `trajectory_cost` ON `trajectory` (`cost_usd`);--> statement-breakpoint
CREATE INDEX `trajectory_reward` ON `trajectory` (`reward`);--> statement-breakpoint
CREATE INDEX `trajectory_duration` ON `trajectory` (`duration_ms`);--> statement-breakpoint
CREATE INDEX `trajectory_outcome` ON `trajectory` (`outcome`);--> statement-breakpoint
CREATE INDEX `trajectory_format` ON `trajectory` (`format`);--> statement-breakpoint
CREATE INDEX `trajectory_rules` ON `trajectory` (`rules_version`);--> statement-breakpoint
CREATE TABLE `trajectory_detail` (
	`trajectory_id` integer PRIMARY KEY NOT NULL,
	`data` blob NOT NULL,
	FOREIGN KEY (`trajectory_id`) REFERENCES `trajectory`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
