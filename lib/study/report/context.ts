import "server-only";
import type { Db } from "@/db/client";
import { type ProfileSummary, profileSummary } from "@/db/queries/profiles";
import {
  type DrawnPrefixes,
  drawnPrefixes,
  type EnvironmentErrors,
  type ProfileType,
  profileErrors,
  profileTypes,
} from "@/db/queries/study";
import { type BehaviorSummary, behaviorSummary } from "@/lib/evaluate/behavior/summary";
import type { PolicyAttempts } from "@/lib/evaluate/scores/attempts";
import { finishedPhases, type Phase, type StudyState } from "@/lib/study/state";
import { pooledEnds } from "./ends";
import { pooledRates } from "./rates";
import { pooledScores, studyAttempts } from "./scores";
import { type Subjects, subjectsOf } from "./subjects";
import { type TrainingUse, trainingUses } from "./training";
import type { PooledEnds, PooledRates, PooledScores } from "./types";

/** Everything the figures and findings are made from, read once. What a phase that has not ended would give is null or empty. */
export interface Context {
  db: Db;
  state: StudyState;
  ended: ReadonlySet<Phase>;
  subjects: Subjects;
  profile: ProfileSummary | null;
  heldout: ProfileSummary | null;
  /** Under the study's own taxonomy. */
  errors: EnvironmentErrors[];
  types: ProfileType[];
  drawn: DrawnPrefixes[];
  uses: TrainingUse[];
  attempts: Map<number, PolicyAttempts>;
  scores: PooledScores | null;
  measured: BehaviorSummary | null;
  rates: PooledRates[];
  ends: PooledEnds | null;
}

export function contextOf(db: Db, state: StudyState): Context {
  const { made } = state;
  const ended = new Set(finishedPhases(state));
  const subjects = subjectsOf(db, state);
  const profile = ended.has("profile") && made.profile ? (profileSummary(db, made.profile.profileId) ?? null) : null;
  const heldout = ended.has("heldout") && made.heldout ? (profileSummary(db, made.heldout.profileId) ?? null) : null;
  const taxonomyId = ended.has("taxonomy") ? made.taxonomy?.taxonomyId : undefined;
  const attempts = ended.has("scores") ? studyAttempts(db, state) : new Map<number, PolicyAttempts>();
  const measured = ended.has("rates") && made.rates ? behaviorSummary(db, made.rates.evaluationId) : null;
  return {
    db,
    state,
    ended,
    subjects,
    profile,
    heldout,
    errors: profile && taxonomyId !== undefined ? profileErrors(db, profile.id, taxonomyId) : [],
    types: profile && taxonomyId !== undefined ? profileTypes(db, profile.id, taxonomyId) : [],
    drawn: ended.has("prefixes") && made.prefixes ? drawnPrefixes(db, made.prefixes.drawId) : [],
    uses: ended.has("train") ? trainingUses(db, state, subjects) : [],
    attempts,
    scores: ended.has("scores") ? pooledScores(attempts, subjects) : null,
    measured,
    rates: measured ? pooledRates(db, subjects, measured) : [],
    ends: measured ? pooledEnds(db, subjects, measured) : null,
  };
}
