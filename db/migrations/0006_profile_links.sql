-- What a deleted trajectory leaves: the rollout and its numbers stay, without a trajectory; the truth about its steps goes.
-- Independent of the other trigger on the same event, so that the order of the two does not matter.
CREATE TRIGGER trajectory_delete_profile BEFORE DELETE ON trajectory BEGIN
  UPDATE profile_rollout SET trajectory_id = NULL WHERE trajectory_id = OLD.id;
  DELETE FROM trial_step WHERE step_id BETWEEN OLD.id * 1048576 AND OLD.id * 1048576 + 1048575;
END;
