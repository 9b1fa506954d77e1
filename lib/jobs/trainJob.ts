import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { checkpointFolder, readCard, registerCheckpoint } from "@/lib/model/policy/checkpoint";
import { UnknownRole } from "@/lib/profile/roles/unknown";
import { checkBehaviorJudge, checkEquivalenceJudge, checkRubricJudge, checkRubricWriter } from "@/lib/reward/registry";
import { type DryRun, dryRun } from "@/lib/train/run/dryRun";
import { NothingToTrainOn, planTraining } from "@/lib/train/run/plan";
import { type GivenTrainSettings, type TrainSettings, trainSettings } from "@/lib/train/settings";
import type { Place } from "./place/places";
import { checkPlace, trainingRefusal } from "./place/refusal";
import { enqueue } from "./queue";

export interface NewTraining {
  /** Small letters, digits and dashes: checkpoints are called after it. Default: the recipe and a number. */
  name?: string;
  studyId?: number;
  settings: GivenTrainSettings;
  /** Where it runs; default: on this machine. */
  place?: Place;
  requestedBy: string;
}

const NAME = /^[a-z0-9][a-z0-9.-]{0,47}$/;

/** The settings name something that cannot be used. */
export class UnusableTraining extends Error {}

/** A name that no training has: the one given, or the stem and a number. Throws UnusableTraining. */
export function nameFor(db: Db, recipe: string, given: string | undefined): string {
  const taken = (name: string) => statement(db, "select 1 from training_run where name = ?").get(name) !== undefined;
  if (given !== undefined) {
    if (!NAME.test(given))
      throw new UnusableTraining(`"${given}" cannot be a name: use small letters, digits, dots and dashes`);
    if (taken(given)) throw new UnusableTraining(`there is a training "${given}" already; choose another name`);
    return given;
  }
  const stem =
    recipe
      .toLowerCase()
      .replace(/\+/g, "-plus")
      .replace(/[^a-z0-9.-]+/g, "-")
      .replace(/^[-.]+/, "") || "training";
  for (let n = 1; ; n++) if (!taken(`${stem}-${n}`)) return `${stem}-${n}`;
}

/** Those who decide on the reward must be there. Throws UnusableTraining. */
function checkPayers({ reward }: TrainSettings): void {
  try {
    if (reward.kind === "outcome-and-behavior") checkBehaviorJudge(reward.judge);
    if (reward.kind === "equivalence") checkEquivalenceJudge(reward.judge);
    if (reward.kind !== "rubric") return;
    checkRubricWriter(reward.writer);
    checkRubricJudge(reward.judge);
  } catch (error) {
    if (error instanceof UnknownRole) throw new UnusableTraining(error.message);
    throw error;
  }
}

/** What has to hold of a training before its starts are looked for. Throws what enqueueTraining throws. */
function checked(db: Db, { name: given, settings: input, place = "local" }: NewTraining) {
  const settings = trainSettings.parse(input);
  checkPlace(place, trainingRefusal(settings));
  const folder = checkpointFolder(settings.base);
  if (folder === null)
    throw new UnusableTraining(`there is no checkpoint "${settings.base}" of the embedded policy here`);
  if (settings.reward.kind === "outcome-and-behavior" && settings.start.kind !== "prefix")
    throw new UnusableTraining("r_o AND r_e judges the steps after a prefix: start at prefixes");
  if ((settings.reward.kind === "equivalence") !== (settings.start.kind === "pivot"))
    throw new UnusableTraining("pivots are paid by equivalence, and nothing else is: choose both or neither");
  checkPayers(settings);
  return { settings, place, folder, name: nameFor(db, settings.recipe, given) };
}

/** What a training would do; nothing is queued. Throws what enqueueTraining throws, of its name and place too. */
export const dryTraining = (db: Db, wanted: NewTraining): DryRun =>
  dryRun(db, wanted.studyId ?? 1, checked(db, wanted).settings);

/**
 * Queues a training: its starts are fixed, its row, its policy's and its job are made, in one transaction. Throws ZodError,
 * UnusableTraining, PlaceRefused and NothingToTrainOn on settings that cannot be run.
 */
export function enqueueTraining(db: Db, wanted: NewTraining): { runId: number; jobId: number; name: string } {
  const { studyId = 1, requestedBy } = wanted;
  return db.$client
    .transaction(() => {
      const { settings, place, folder, name } = checked(db, wanted);
      const baseId = registerCheckpoint(db, readCard(folder));
      const plan = planTraining(db, studyId, settings);
      const policy = `${name} (in training)`;
      const jobId = enqueue(db, { kind: "train", title: `Train ${name}`, params: settings, place, requestedBy });
      const runId = Number(
        statement(
          db,
          `insert into training_run (study_id, name, recipe, settings, launcher, base_checkpoint_id, seed, job_id)
           values (?, ?, ?, ?, 'embedded', ?, ?, ?)`,
        ).run(studyId, name, settings.recipe, JSON.stringify({ ...settings, plan }), baseId, settings.seed, jobId)
          .lastInsertRowid,
      );
      statement(
        db,
        "insert into checkpoint (name, kind, parent_id, training_run_id) values (?, 'training', ?, ?) on conflict (name) do update set training_run_id = excluded.training_run_id",
      ).run(policy, baseId, runId);
      return { runId, jobId, name };
    })
    .immediate();
}

export { NothingToTrainOn };
