CREATE TABLE `review_answer` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`round` integer DEFAULT 1 NOT NULL,
	`verdict` text NOT NULL,
	`types` text,
	`reason` text,
	`duration_ms` integer,
	`too_fast` integer DEFAULT 0 NOT NULL,
	`guideline_id` integer,
	`origin` text DEFAULT 'here' NOT NULL,
	`current` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `review_item`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`guideline_id`) REFERENCES `review_guideline`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `review_answer_item` ON `review_answer` (`item_id`,`current`);--> statement-breakpoint
CREATE INDEX `review_answer_person` ON `review_answer` (`person_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `review_answer_current` ON `review_answer` (`item_id`,`person_id`,`round`,`current`) WHERE current = 1;--> statement-breakpoint
CREATE TABLE `review_claim` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`person_id` integer NOT NULL,
	`until` integer NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `review_item`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `review_claim_person` ON `review_claim` (`item_id`,`person_id`);--> statement-breakpoint
CREATE INDEX `review_claim_until` ON `review_claim` (`until`);--> statement-breakpoint
CREATE TABLE `review_event` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`queue_id` integer NOT NULL,
	`item_id` integer,
	`person_id` integer,
	`kind` text NOT NULL,
	`details` text,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`queue_id`) REFERENCES `review_queue`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `review_event_queue` ON `review_event` (`queue_id`,`id`);--> statement-breakpoint
CREATE INDEX `review_event_person` ON `review_event` (`person_id`,`id`);--> statement-breakpoint
CREATE TABLE `review_guideline` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`queue_id` integer NOT NULL,
	`version` integer NOT NULL,
	`text` text NOT NULL,
	`person_id` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`queue_id`) REFERENCES `review_queue`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `review_guideline_version` ON `review_guideline` (`queue_id`,`version`);--> statement-breakpoint
CREATE TABLE `review_item` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`queue_id` integer NOT NULL,
	`position` integer NOT NULL,
	`subject_id` integer NOT NULL,
	`stratum` text,
	`random` integer DEFAULT 0 NOT NULL,
	`gold` text,
	`gold_kind` text,
	`answers` integer DEFAULT 0 NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	FOREIGN KEY (`queue_id`) REFERENCES `review_queue`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `review_item_subject` ON `review_item` (`queue_id`,`subject_id`);--> statement-breakpoint
CREATE INDEX `review_item_position` ON `review_item` (`queue_id`,`status`,`position`);--> statement-breakpoint
CREATE TABLE `review_queue` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`question` text NOT NULL,
	`taxonomy_id` integer,
	`evaluation_id` integer,
	`raters` integer NOT NULL,
	`settings` text NOT NULL,
	`mode` text DEFAULT 'queue' NOT NULL,
	`phase` text DEFAULT 'open' NOT NULL,
	`created_by` integer,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`taxonomy_id`) REFERENCES `taxonomy`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `review_queue_name_unique` ON `review_queue` (`name`);--> statement-breakpoint
CREATE TABLE `review_settlement` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`item_id` integer NOT NULL,
	`verdict` text NOT NULL,
	`types` text,
	`method` text NOT NULL,
	`comment` text,
	`person_id` integer,
	`current` integer DEFAULT 1 NOT NULL,
	`created_at` integer DEFAULT (cast(unixepoch('subsec') * 1000 as integer)) NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `review_item`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `person`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `review_settlement_item` ON `review_settlement` (`item_id`,`current`);--> statement-breakpoint
CREATE TRIGGER trajectory_delete BEFORE DELETE ON trajectory BEGIN
  DELETE FROM step_fts WHERE rowid IN (SELECT id FROM step_fts_docsize WHERE id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575);
  DELETE FROM reason_fts WHERE rowid IN (SELECT id FROM localization WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575);
  DELETE FROM label WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM localization WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM error_step WHERE trajectory_id = OLD.id;
  DELETE FROM trajectory_type WHERE trajectory_id = OLD.id;
  DELETE FROM correction WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM review_item WHERE queue_id IN (SELECT id FROM review_queue WHERE question IN ('wrong', 'types'))
    AND subject_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM step WHERE id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM chunk WHERE id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
END;
