import "server-only";
import type { Db } from "@/db/client";
import { checkpointNamesOfKind } from "@/db/queries/checkpoints";
import { readSettings, SettingsError } from "@/lib/model/chat/settings";
import { BASE_CHECKPOINT, checkpointFolder } from "@/lib/model/policy/checkpoint";
import { CATCH_POLICY, POLICIES, TOLD_POLICY } from "@/lib/profile/roles/registry";
import { learnedJudges } from "@/lib/reward/behaviorJudge/learnedFile";

export interface PolicyChoice {
  /** What `policySpec` takes. */
  name: string;
  /** A learned policy that runs here; else a written program. */
  embedded: boolean;
}

/** Models of the settings by name, or why the settings cannot be read. */
export function modelChoices(): { models: string[]; fault: string | null } {
  try {
    return { models: readSettings().models.map(({ name }) => name), fault: null };
  } catch (error) {
    if (error instanceof SettingsError) return { models: [], fault: error.message };
    throw error;
  }
}

/** Behavior judges that can be asked here, as `roleSpec` takes them, with the models behind them or why there are none. */
export function judgeChoices(): { judges: string[]; models: string[]; fault: string | null } {
  const { models, fault } = modelChoices();
  const judges = [
    "rules",
    ...learnedJudges().map((name) => `learned:${name}`),
    ...models.map((name) => `model:${name}`),
  ];
  return { judges, models, fault };
}

/** Checkpoints of the embedded kind whose weights are on this machine, newest first, and how many others the index knows. */
function checkpointsHere(db: Db): { here: string[]; elsewhere: number } {
  const all = Object.hasOwn(POLICIES, "embedded") ? checkpointNamesOfKind(db, "embedded") : [];
  const here = all.filter((name) => checkpointFolder(name) !== null);
  return { here, elsewhere: all.length - here.length };
}

/** Checkpoints that the index knows, but whose weights are not on this machine: they cannot be rolled out. */
export const weightsElsewhere = (db: Db): number => checkpointsHere(db).elsewhere;

/** Policies that can be rolled out here: the base first, which a profile is mostly made of, then what was trained, newest first. */
export function policyChoices(db: Db): PolicyChoice[] {
  const scripted = Object.keys(POLICIES).filter(
    (name) => name !== "embedded" && name !== "chat" && name !== CATCH_POLICY && name !== TOLD_POLICY,
  );
  const embedded = checkpointsHere(db).here;
  const isBase = (name: string) => Number(name === BASE_CHECKPOINT);
  return [
    ...embedded.sort((a, b) => isBase(b) - isBase(a)).map((name) => ({ name, embedded: true })),
    // The demonstrator errs as a policy would; the expert has nothing to be flagged.
    ...scripted
      .sort((a, b) => Number(b === "demonstrator") - Number(a === "demonstrator"))
      .map((name) => ({
        name,
        embedded: false,
      })),
  ];
}
