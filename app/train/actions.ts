"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { atPlace } from "@/app/at-place";
import { getDb } from "@/db/client";
import { PLACES } from "@/lib/jobs/place/places";
import { enqueueTraining, NothingToTrainOn, UnusableTraining } from "@/lib/jobs/trainJob";
import { checkTrainSettings, sayIssues } from "@/lib/train/check";
import { type DryRun, dryRun } from "@/lib/train/run/dryRun";
import type { TrainSettings } from "@/lib/train/settings";

const wanted = z.object({
  /** Of the training; empty: one is made up. */
  name: z.string().max(48),
  /** TrainSettings: checked by their own schema. */
  settings: z.record(z.string(), z.unknown()),
  /** Where it runs. */
  place: z.enum(PLACES).default("local"),
});
export type WantedTraining = z.input<typeof wanted>;

function checked(given: unknown): TrainSettings {
  const read = checkTrainSettings(given);
  if (!read.ok) throw new ActionRefused(sayIssues(read.issues));
  return read.settings;
}

function refusing<T>(run: () => T): T {
  try {
    return atPlace(run);
  } catch (error) {
    if (error instanceof NothingToTrainOn || error instanceof UnusableTraining) throw new ActionRefused(error.message);
    throw error;
  }
}

/** Queues a training of the embedded policy. */
export async function startTrainingAction(
  input: WantedTraining,
): Promise<ActionResult<{ runId: number; jobId: number }>> {
  return act(wanted, input, (values, actor) =>
    refusing(() =>
      enqueueTraining(getDb(), {
        ...(values.name.trim() === "" ? {} : { name: values.name.trim() }),
        settings: checked(values.settings),
        place: values.place,
        requestedBy: actor.name,
      }),
    ),
  );
}

/** What a training of these settings would do; nothing is queued. */
export async function dryRunAction(input: WantedTraining): Promise<ActionResult<DryRun>> {
  return act(wanted, input, (values) => refusing(() => dryRun(getDb(), 1, checked(values.settings))));
}
