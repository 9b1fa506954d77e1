ALTER TABLE `rollout` ADD `verdict` text;--> statement-breakpoint
ALTER TABLE `rollout` ADD `verdict_reason` text;--> statement-breakpoint
ALTER TABLE `rollout` ADD `rating` real;--> statement-breakpoint
ALTER TABLE `rollout` ADD `ended` text;--> statement-breakpoint
ALTER TABLE `rollout` ADD `steps` integer;--> statement-breakpoint
ALTER TABLE `rollout` ADD `surprise` real;--> statement-breakpoint
ALTER TABLE `rollout` ADD `duration_ms` integer;--> statement-breakpoint
CREATE INDEX `rollout_trajectory` ON `rollout` (`trajectory_id`);--> statement-breakpoint
ALTER TABLE `rollout_group` ADD `draw` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `rollout_group` ADD `counted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `rollout_group_prefix` ON `rollout_group` (`prefix_id`);--> statement-breakpoint
-- What a deleted trajectory leaves: the rollout of the training and its numbers stay, without a trajectory.
CREATE TRIGGER trajectory_delete_rollout BEFORE DELETE ON trajectory BEGIN
  UPDATE rollout SET trajectory_id = NULL WHERE trajectory_id = OLD.id;
END;
