CREATE TABLE `rollout_verdict` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rollout_id` integer NOT NULL,
	`judge` text NOT NULL,
	`answer` text NOT NULL,
	`reason` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`rollout_id`) REFERENCES `rollout`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `rollout_verdict_identity` ON `rollout_verdict` (`rollout_id`,`judge`);