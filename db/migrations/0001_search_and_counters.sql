-- Full text over steps and over the reasons of localizers. Contentless: texts stay in `chunk`.
CREATE VIRTUAL TABLE step_fts USING fts5(command, thinking, output, content='', contentless_delete=1, tokenize="unicode61 tokenchars '_'");
--> statement-breakpoint
CREATE VIRTUAL TABLE reason_fts USING fts5(reason, content='', contentless_delete=1, tokenize="unicode61 tokenchars '_'");
--> statement-breakpoint
-- Terms gathered in memory before they are written: bulk indexing writes fewer, larger segments.
INSERT INTO step_fts (step_fts, rank) VALUES ('hashsize', 33554432);
--> statement-breakpoint
-- Deleting a trajectory takes everything that hangs on its steps (ids are ranges: trajectory * 2^20 + index).
CREATE TRIGGER trajectory_delete BEFORE DELETE ON trajectory BEGIN
  DELETE FROM step_fts WHERE rowid BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM reason_fts WHERE rowid IN (SELECT id FROM localization WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575);
  DELETE FROM label WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM localization WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM error_step WHERE trajectory_id = OLD.id;
  DELETE FROM trajectory_type WHERE trajectory_id = OLD.id;
  DELETE FROM correction WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM review WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM step WHERE id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
  DELETE FROM chunk WHERE id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
END;
--> statement-breakpoint
-- Counters follow what they count. A superseded trajectory is not counted.
CREATE TRIGGER trajectory_count_insert AFTER INSERT ON trajectory WHEN NEW.superseded_by IS NULL BEGIN
  INSERT INTO corpus_count VALUES (ifnull(NEW.environment_id, 0), ifnull(NEW.checkpoint_id, 0), NEW.format, NEW.outcome, 1, NEW.steps, NEW.error_steps)
  ON CONFLICT DO UPDATE SET trajectories = trajectories + 1, steps = steps + excluded.steps, error_steps = error_steps + excluded.error_steps;
END;
--> statement-breakpoint
CREATE TRIGGER trajectory_count_delete AFTER DELETE ON trajectory WHEN OLD.superseded_by IS NULL BEGIN
  UPDATE corpus_count SET trajectories = trajectories - 1, steps = steps - OLD.steps, error_steps = error_steps - OLD.error_steps
  WHERE environment_id = ifnull(OLD.environment_id, 0) AND checkpoint_id = ifnull(OLD.checkpoint_id, 0) AND format = OLD.format AND outcome = OLD.outcome;
END;
--> statement-breakpoint
CREATE TRIGGER trajectory_count_update AFTER UPDATE OF environment_id, checkpoint_id, format, outcome, steps, error_steps, superseded_by ON trajectory BEGIN
  UPDATE corpus_count SET trajectories = trajectories - 1, steps = steps - OLD.steps, error_steps = error_steps - OLD.error_steps
  WHERE OLD.superseded_by IS NULL AND environment_id = ifnull(OLD.environment_id, 0) AND checkpoint_id = ifnull(OLD.checkpoint_id, 0) AND format = OLD.format AND outcome = OLD.outcome;
  INSERT INTO corpus_count SELECT ifnull(NEW.environment_id, 0), ifnull(NEW.checkpoint_id, 0), NEW.format, NEW.outcome, 1, NEW.steps, NEW.error_steps
  WHERE NEW.superseded_by IS NULL
  ON CONFLICT DO UPDATE SET trajectories = trajectories + 1, steps = steps + excluded.steps, error_steps = error_steps + excluded.error_steps;
END;
--> statement-breakpoint
CREATE TRIGGER trajectory_type_insert AFTER INSERT ON trajectory_type BEGIN
  INSERT INTO type_count SELECT NEW.scope, ifnull(t.environment_id, 0), ifnull(t.checkpoint_id, 0), NEW.error_steps, 1 FROM trajectory t WHERE t.id = NEW.trajectory_id
  ON CONFLICT DO UPDATE SET error_steps = error_steps + excluded.error_steps, trajectories = trajectories + 1;
END;
--> statement-breakpoint
CREATE TRIGGER trajectory_type_delete AFTER DELETE ON trajectory_type BEGIN
  UPDATE type_count SET error_steps = error_steps - OLD.error_steps, trajectories = trajectories - 1
  WHERE scope = OLD.scope AND (environment_id, checkpoint_id) = (SELECT ifnull(t.environment_id, 0), ifnull(t.checkpoint_id, 0) FROM trajectory t WHERE t.id = OLD.trajectory_id);
END;
--> statement-breakpoint
CREATE TRIGGER trajectory_type_update AFTER UPDATE OF error_steps ON trajectory_type BEGIN
  UPDATE type_count SET error_steps = error_steps - OLD.error_steps + NEW.error_steps
  WHERE scope = OLD.scope AND (environment_id, checkpoint_id) = (SELECT ifnull(t.environment_id, 0), ifnull(t.checkpoint_id, 0) FROM trajectory t WHERE t.id = OLD.trajectory_id);
END;
--> statement-breakpoint
INSERT INTO study (id, name, kind) VALUES (1, 'Imported trajectories', 'own');
