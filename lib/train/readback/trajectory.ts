import "server-only";
import type { Db } from "@/db/client";
import { prefixStart, StartMissing } from "@/lib/train/rollout/starts";
import { emptyStep, emptyTrajectory, observation } from "@/lib/trajectory/build";
import type { Step, Trajectory } from "@/lib/trajectory/types";
import type { Episode, LoggedStep } from "./stepLog";

/** A logged step: the environment is handed the call alone, so what the policy thought and wrote is not known. */
function stepOf({ command, output, exit_code, call, ms }: LoggedStep, turn: number): Step {
  const shown = output === null ? [] : [{ ...observation(output), exitCode: exit_code ?? null }];
  return {
    ...emptyStep("agent", turn),
    call: { id: null, name: call ?? "bash", arguments: command === null ? {} : { command }, command },
    observations: shown,
    durationMs: ms ?? null,
  };
}

/** What the policy had seen before, when its prefix is here. */
function seenBefore(db: Db, prefixId: number | null) {
  if (prefixId === null) return null;
  try {
    return prefixStart(db, prefixId).prefix;
  } catch (error) {
    if (error instanceof StartMissing) return null;
    throw error;
  }
}

/** A rollout of the step log as a trajectory: its prefix as copied context, then its steps. */
export function trajectoryOfEpisode(
  db: Db,
  episode: Episode,
  prefixId: number | null,
): { trajectory: Trajectory; parent: { trajectoryId: number; index: number } | null } {
  const prefix = seenBefore(db, prefixId);
  const seen = (prefix?.seen ?? []).map((step): Step => ({ ...step, copied: true, source: [] }));
  const first = Math.max(-1, ...seen.map((step) => step.turn ?? -1)) + 1;
  const trajectory = emptyTrajectory("open-instruct");
  trajectory.agent = "open-instruct";
  trajectory.steps = [...seen, ...episode.steps.map((step, i) => stepOf(step, first + i))];
  trajectory.exitStatus = episode.end?.ended ?? null;
  if (episode.end?.tests) trajectory.artifacts.push({ name: "verifier/test-stdout.txt", text: episode.end.tests });
  trajectory.warnings.push({
    path: "",
    message: "read back from another trainer: thinking and messages of its turns are not known, only their commands",
  });
  return { trajectory, parent: prefix };
}
