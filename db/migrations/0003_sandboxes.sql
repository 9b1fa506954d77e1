CREATE TABLE `environment_check` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment_id` integer NOT NULL,
	`what` text NOT NULL,
	`driver` text NOT NULL,
	`status` text NOT NULL,
	`reward` real,
	`void_reason` text,
	`result` text DEFAULT '{}' NOT NULL,
	`log_hash` text,
	`digest` text,
	`duration_ms` integer,
	`job_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`environment_id`) REFERENCES `environment`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `environment_check_environment` ON `environment_check` (`environment_id`,`id`);--> statement-breakpoint
ALTER TABLE `prefix` ADD `commands` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `prefix` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `prefix` ADD `normalised_kept` integer;--> statement-breakpoint
ALTER TABLE `prefix` ADD `exit_code_kept` integer;--> statement-breakpoint
ALTER TABLE `prefix` ADD `reruns` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `prefix` ADD `exact` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `prefix_by_step` ON `prefix` (`step_id`);--> statement-breakpoint
CREATE INDEX `prefix_status` ON `prefix` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `prefix_environment` ON `prefix` (`environment_id`);--> statement-breakpoint
ALTER TABLE `rerun` ADD `mode` text DEFAULT 'stop' NOT NULL;--> statement-breakpoint
ALTER TABLE `rerun` ADD `ran` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `environment` ADD `digest` text;