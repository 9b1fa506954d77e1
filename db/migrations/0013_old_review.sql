DROP TRIGGER trajectory_delete;--> statement-breakpoint
DROP TABLE `review`;--> statement-breakpoint
ALTER TABLE `person` ADD `user_id` text;--> statement-breakpoint
ALTER TABLE `person` ADD `disabled_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `person_user_id_unique` ON `person` (`user_id`);