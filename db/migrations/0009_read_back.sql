CREATE TABLE `read_back_file` (
	`training_run_id` integer NOT NULL,
	`path` text NOT NULL,
	`offset` integer NOT NULL,
	`lines` integer NOT NULL,
	PRIMARY KEY(`training_run_id`, `path`),
	FOREIGN KEY (`training_run_id`) REFERENCES `training_run`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE `read_back_problem` (
	`training_run_id` integer NOT NULL,
	`path` text NOT NULL,
	`line` integer NOT NULL,
	`reason` text NOT NULL,
	PRIMARY KEY(`training_run_id`, `path`, `line`),
	FOREIGN KEY (`training_run_id`) REFERENCES `training_run`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
ALTER TABLE `rollout_group` ADD `source` text;
