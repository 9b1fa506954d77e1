-- type_count is kept per environment and checkpoint: when a grown file names its model or task at last, what was counted
-- moves with the trajectory, and a superseded trajectory is no longer counted, whoever writes the column. One trigger,
-- because the order of two is not defined.
CREATE TRIGGER trajectory_move AFTER UPDATE OF environment_id, checkpoint_id, superseded_by ON trajectory
WHEN NEW.environment_id IS NOT OLD.environment_id OR NEW.checkpoint_id IS NOT OLD.checkpoint_id OR NEW.superseded_by IS NOT OLD.superseded_by BEGIN
  UPDATE type_count SET
    error_steps = error_steps - (SELECT tt.error_steps FROM trajectory_type tt WHERE tt.trajectory_id = NEW.id AND tt.scope = type_count.scope),
    trajectories = trajectories - 1
  WHERE environment_id = ifnull(OLD.environment_id, 0) AND checkpoint_id = ifnull(OLD.checkpoint_id, 0)
    AND scope IN (SELECT scope FROM trajectory_type WHERE trajectory_id = NEW.id);
  INSERT INTO type_count SELECT scope, ifnull(NEW.environment_id, 0), ifnull(NEW.checkpoint_id, 0), error_steps, 1
  FROM trajectory_type WHERE trajectory_id = NEW.id
  ON CONFLICT DO UPDATE SET error_steps = error_steps + excluded.error_steps, trajectories = trajectories + 1;
  UPDATE error_step SET environment_id = NEW.environment_id, checkpoint_id = NEW.checkpoint_id WHERE trajectory_id = NEW.id;
  DELETE FROM trajectory_type WHERE trajectory_id = NEW.id AND NEW.superseded_by IS NOT NULL;
  -- Sub-trajectories that did not change stay below the present reading of their parent.
  UPDATE trajectory SET parent_id = NEW.superseded_by WHERE parent_id = NEW.id AND NEW.superseded_by IS NOT NULL;
END;
--> statement-breakpoint
-- Counts that went astray before.
DELETE FROM trajectory_type WHERE trajectory_id IN (SELECT id FROM trajectory WHERE superseded_by IS NOT NULL);
--> statement-breakpoint
DELETE FROM type_count;
--> statement-breakpoint
INSERT INTO type_count
SELECT tt.scope, ifnull(t.environment_id, 0), ifnull(t.checkpoint_id, 0), sum(tt.error_steps), count(*)
FROM trajectory_type tt JOIN trajectory t ON t.id = tt.trajectory_id GROUP BY 1, 2, 3;
--> statement-breakpoint
UPDATE error_step SET environment_id = t.environment_id, checkpoint_id = t.checkpoint_id FROM trajectory t
WHERE t.id = error_step.trajectory_id AND (t.environment_id IS NOT error_step.environment_id OR t.checkpoint_id IS NOT error_step.checkpoint_id);
--> statement-breakpoint
-- By single rowids: FTS5 answers a range of rowids of a contentless table by walking all of it.
DROP TRIGGER trajectory_delete;
--> statement-breakpoint
CREATE TRIGGER trajectory_delete BEFORE DELETE ON trajectory BEGIN
  DELETE FROM step_fts WHERE rowid IN (SELECT id FROM step_fts_docsize WHERE id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575);
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
