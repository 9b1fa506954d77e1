ALTER TABLE `review_answer` ADD `client_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `review_answer_key` ON `review_answer` (`person_id`,`client_key`) WHERE client_key is not null;