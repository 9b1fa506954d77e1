CREATE TABLE `assignment` (
	`taxonomy_id` integer NOT NULL,
	`step_id` integer NOT NULL,
	`localizer_id` integer NOT NULL,
	`status` text NOT NULL,
	`stale` integer DEFAULT 0 NOT NULL,
	`batch_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	PRIMARY KEY(`taxonomy_id`, `step_id`, `localizer_id`),
	FOREIGN KEY (`taxonomy_id`) REFERENCES `taxonomy`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`localizer_id`) REFERENCES `localizer`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `assignment_stale` ON `assignment` (`taxonomy_id`,`stale`,`status`);--> statement-breakpoint
CREATE TABLE `taxonomy_batch` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`taxonomy_id` integer NOT NULL,
	`phase` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`step_ids` text NOT NULL,
	`answer` text,
	`assigned` integer DEFAULT 0 NOT NULL,
	`one_off` integer DEFAULT 0 NOT NULL,
	`new_pattern` integer DEFAULT 0 NOT NULL,
	`unclear` integer DEFAULT 0 NOT NULL,
	`repairs` text DEFAULT '[]' NOT NULL,
	`usage_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`taxonomy_id`) REFERENCES `taxonomy`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `taxonomy_batch_identity` ON `taxonomy_batch` (`taxonomy_id`,`phase`,`number`);--> statement-breakpoint
CREATE TABLE `taxonomy_operation` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`taxonomy_id` integer NOT NULL,
	`kind` text NOT NULL,
	`details` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`taxonomy_id`) REFERENCES `taxonomy`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `taxonomy_operation_taxonomy` ON `taxonomy_operation` (`taxonomy_id`);--> statement-breakpoint
DROP INDEX `usage_job`;--> statement-breakpoint
ALTER TABLE `usage` ADD `endpoint` text;--> statement-breakpoint
ALTER TABLE `usage` ADD `status` text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `reading` text;--> statement-breakpoint
ALTER TABLE `usage` ADD `repairs` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `tries` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `error` text;--> statement-breakpoint
ALTER TABLE `usage` ADD `finish` text;--> statement-breakpoint
ALTER TABLE `usage` ADD `request_hash` text;--> statement-breakpoint
ALTER TABLE `usage` ADD `reply_hash` text;--> statement-breakpoint
ALTER TABLE `usage` ADD `from_cache` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `cost_nano` integer;--> statement-breakpoint
ALTER TABLE `usage` ADD `subject` text;--> statement-breakpoint
CREATE INDEX `usage_cache` ON `usage` (`request_hash`,`model`);--> statement-breakpoint
CREATE INDEX `usage_by_role` ON `usage` (`role`,`model`,`id`);--> statement-breakpoint
CREATE INDEX `usage_job` ON `usage` (`job_id`,`role`);--> statement-breakpoint
ALTER TABLE `error_type` ADD `detectors` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `error_type` ADD `examples` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `error_type` ADD `status` text DEFAULT 'kept' NOT NULL;--> statement-breakpoint
ALTER TABLE `label` ADD `carried_from` integer;--> statement-breakpoint
ALTER TABLE `label` ADD `usage_id` integer;--> statement-breakpoint
ALTER TABLE `taxonomy` ADD `study_id` integer;--> statement-breakpoint
ALTER TABLE `taxonomy` ADD `job_id` integer;--> statement-breakpoint
ALTER TABLE `taxonomy` ADD `status` text DEFAULT 'done' NOT NULL;--> statement-breakpoint
ALTER TABLE `taxonomy` ADD `params` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `taxonomy` ADD `author` text;--> statement-breakpoint
CREATE INDEX `taxonomy_parent` ON `taxonomy` (`parent_id`);--> statement-breakpoint
-- What a deleted trajectory leaves: an annotator's word about its steps goes with them.
CREATE TRIGGER trajectory_delete_assignment BEFORE DELETE ON trajectory BEGIN
  DELETE FROM assignment WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
END;
