CREATE TABLE `behavior_sample` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`evaluation_id` integer NOT NULL,
	`checkpoint_id` integer NOT NULL,
	`prefix_id` integer NOT NULL,
	`error_type_id` integer NOT NULL,
	`number` integer NOT NULL,
	`trajectory_id` integer,
	`steps` integer,
	`leaked` integer DEFAULT 0 NOT NULL,
	`void_reason` text,
	`duration_ms` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`evaluation_id`) REFERENCES `evaluation`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`checkpoint_id`) REFERENCES `checkpoint`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `behavior_sample_identity` ON `behavior_sample` (`evaluation_id`,`checkpoint_id`,`prefix_id`,`number`);--> statement-breakpoint
CREATE INDEX `behavior_sample_trajectory` ON `behavior_sample` (`trajectory_id`);--> statement-breakpoint
CREATE TABLE `behavior_verdict` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sample_id` integer NOT NULL,
	`judge` text NOT NULL,
	`answer` text NOT NULL,
	`reason` text,
	`usage_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`sample_id`) REFERENCES `behavior_sample`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `behavior_verdict_identity` ON `behavior_verdict` (`sample_id`,`judge`);--> statement-breakpoint
CREATE TABLE `window_label` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`sample_id` integer NOT NULL,
	`person_id` integer,
	`author` text NOT NULL,
	`answer` text NOT NULL,
	`reason` text,
	`random` integer DEFAULT 0 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`sample_id`) REFERENCES `behavior_sample`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `window_label_sample` ON `window_label` (`sample_id`,`author`,`id`);