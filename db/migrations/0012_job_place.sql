ALTER TABLE `job` ADD `place` text DEFAULT 'local' NOT NULL;--> statement-breakpoint
ALTER TABLE `job` ADD `placed` text;