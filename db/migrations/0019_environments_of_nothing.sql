-- Rollouts of measurements, trainings and forks left an environment of their task's bare name behind. Those that no row is
-- about go; the named lists hold every table that names environments.
DELETE FROM `environment` WHERE `kind` = 'imported' AND `directory` IS NULL AND `id` NOT IN (
  SELECT `environment_id` FROM `trajectory` WHERE `environment_id` IS NOT NULL
  UNION SELECT `environment_id` FROM `prefix` WHERE `environment_id` IS NOT NULL
  UNION SELECT `environment_id` FROM `profile_rollout`
  UNION SELECT `environment_id` FROM `environment_check`
  UNION SELECT `environment_id` FROM `rollout_group` WHERE `environment_id` IS NOT NULL
  UNION SELECT `environment_id` FROM `score` WHERE `environment_id` IS NOT NULL
);
