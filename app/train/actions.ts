"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { atPlace } from "@/app/at-place";
import { getDb } from "@/db/client";
import { PLACES } from "@/lib/jobs/place/places";
import {
  dryTraining,
  enqueueTraining,
  type NewTraining,
  NothingToTrainOn,
  UnusableTraining,
} from "@/lib/jobs/trainJob";
import { checkTrainSettings, sayIssues } from "@/lib/train/check";
import type { DryRun } from "@/lib/train/run/dryRun";
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

const asked = ({ name, settings, place }: z.output<typeof wanted>, requestedBy: string): NewTraining => ({
  ...(name.trim() === "" ? {} : { name: name.trim() }),
  settings: checked(settings),
  place,
  requestedBy,
});

/** Queues a training of the embedded policy. */
export async function startTrainingAction(
  input: WantedTraining,
): Promise<ActionResult<{ runId: number; jobId: number }>> {
  return act(wanted, input, (values, actor) => refusing(() => enqueueTraining(getDb(), asked(values, actor.name))));
}

/** What such a training would do; nothing is queued, and what would be refused is. */
export async function dryRunAction(input: WantedTraining): Promise<ActionResult<DryRun>> {
  return act(wanted, input, (values, actor) => refusing(() => dryTraining(getDb(), asked(values, actor.name))));
}
