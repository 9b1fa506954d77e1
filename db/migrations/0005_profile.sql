CREATE TABLE `profile` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`study_id` integer NOT NULL,
	`job_id` integer NOT NULL,
	`checkpoint_id` integer NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`settings` text NOT NULL,
	`seed` integer NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`study_id`) REFERENCES `study`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`checkpoint_id`) REFERENCES `checkpoint`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `profile_job` ON `profile` (`job_id`);--> statement-breakpoint
CREATE TABLE `profile_rollout` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`profile_id` integer NOT NULL,
	`environment_id` integer NOT NULL,
	`number` integer NOT NULL,
	`trajectory_id` integer,
	`status` text NOT NULL,
	`ended` text,
	`void_reason` text,
	`outcome_reward` real,
	`steps` integer DEFAULT 0 NOT NULL,
	`error_steps` integer DEFAULT 0 NOT NULL,
	`format_errors` integer DEFAULT 0 NOT NULL,
	`corrections` integer DEFAULT 0 NOT NULL,
	`tokens` integer,
	`duration_ms` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`profile_id`) REFERENCES `profile`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `profile_rollout_identity` ON `profile_rollout` (`profile_id`,`environment_id`,`number`);--> statement-breakpoint
CREATE INDEX `profile_rollout_trajectory` ON `profile_rollout` (`trajectory_id`);--> statement-breakpoint
CREATE TABLE `trial_step` (
	`step_id` integer PRIMARY KEY NOT NULL,
	`profile_id` integer NOT NULL,
	`error_type_id` integer,
	FOREIGN KEY (`profile_id`) REFERENCES `profile`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`error_type_id`) REFERENCES `error_type`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `trial_step_profile` ON `trial_step` (`profile_id`,`error_type_id`);