CREATE TABLE `recipe` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`about` text DEFAULT '' NOT NULL,
	`based_on` text NOT NULL,
	`settings` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	`archived_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `recipe_name` ON `recipe` (`name`) WHERE archived_at is null;