import "server-only";
import type { Db } from "@/db/client";
import type { Models } from "@/lib/model/chat/open";
import type { ChatModel, RoleName } from "@/lib/model/chat/types";
import type { AskOptions } from "@/lib/model/role/ask";
import { recorderOf } from "@/lib/model/role/record";
import { modelOptionsOf, resolvedSpec, settledModel } from "@/lib/profile/roles/models";
import { UnknownRole } from "@/lib/profile/roles/unknown";
import type { RoleSpec } from "@/lib/profile/settings";
import { learnedBehaviorJudge } from "./behaviorJudge/learned";
import { readLearnedJudge } from "./behaviorJudge/learnedFile";
import { modelBehaviorJudge } from "./behaviorJudge/model";
import { rulesBehaviorJudge } from "./behaviorJudge/rules";
import { modelEquivalenceJudge } from "./equivalenceJudge/model";
import { rulesEquivalenceJudge } from "./equivalenceJudge/rules";
import { modelRubricJudge } from "./rubricJudge/model";
import { rulesRubricJudge } from "./rubricJudge/rules";
import { modelRubricWriter } from "./rubricWriter/model";
import { rulesRubricWriter } from "./rubricWriter/rules";
import type { BehaviorJudge, EquivalenceJudge, RubricJudge, RubricWriter } from "./types";

/** What a judge or writer that a model plays needs; rules need none of it. */
export interface JudgeContext {
  db: Db;
  models?: () => Models;
  signal?: AbortSignal;
  /** Replies may come from the cache. Off where samples of one judge are to be independent. Default true. */
  cache?: boolean;
}

interface Implementations<J> {
  role: RoleName;
  rules: J;
  model(model: ChatModel, options: AskOptions & { id?: string }): J;
  /** By name; absent where none can be learned. */
  learned?: (name: string) => J;
}

const BEHAVIOR: Implementations<BehaviorJudge> = {
  role: "behavior-judge",
  rules: rulesBehaviorJudge,
  model: modelBehaviorJudge,
  learned: learnedBehaviorJudge,
};
const WRITER: Implementations<RubricWriter> = {
  role: "rubric-writer",
  rules: rulesRubricWriter,
  model: modelRubricWriter,
};
const RATER: Implementations<RubricJudge> = { role: "rubric-judge", rules: rulesRubricJudge, model: modelRubricJudge };
const EQUIVALENCE: Implementations<EquivalenceJudge> = {
  role: "equivalence-judge",
  rules: rulesEquivalenceJudge,
  model: modelEquivalenceJudge,
};

const unknownUse = (role: RoleName, use: string, learned: boolean) =>
  new UnknownRole(`there is no ${role} "${use}"; this version has rules, model:NAME${learned ? ", learned:NAME" : ""}`);

/** Makes a role of a spec: "rules", "model" with the options of a model role, or "learned" with a name. Throws UnknownRole. */
const maker =
  <J>({ role, rules, model, learned }: Implementations<J>) =>
  ({ db, models, signal, cache = true }: JudgeContext, given: RoleSpec): J => {
    if (given.use === "rules") return rules;
    if (given.use === "learned" && learned) return learned(String(given.options.name ?? ""));
    if (given.use !== "model") throw unknownUse(role, given.use, learned !== undefined);
    if (!models) throw new UnknownRole(`no model can be asked here to be the ${role}`);
    const opened = models();
    const spec = resolvedSpec(given, role, () => opened.settings);
    const { model: name, temperature, thinking } = modelOptionsOf(spec);
    const { id } = settledModel(opened.settings, name).model;
    const record = recorderOf(db);
    return model(opened.model(name), { id, temperature, thinking, signal, cache, record, subject: null });
  };

/**
 * Whether the role of a spec can be had here, asked before anything is queued that would find out rollout by rollout.
 * Models are those of the settings. Throws UnknownRole.
 */
const checker =
  <J>({ role, learned }: Implementations<J>) =>
  (given: RoleSpec): void => {
    if (given.use === "model") resolvedSpec(given, role);
    else if (given.use === "learned" && learned) readLearnedJudge(String(given.options.name ?? ""));
    else if (given.use !== "rules") throw unknownUse(role, given.use, learned !== undefined);
  };

export const checkBehaviorJudge = checker(BEHAVIOR);
export const checkRubricWriter = checker(WRITER);
export const checkRubricJudge = checker(RATER);
export const checkEquivalenceJudge = checker(EQUIVALENCE);

/** Judges whether a misbehavior is in a window. */
export const makeBehaviorJudge = maker(BEHAVIOR);
/** Writes rubrics (RaR+). */
export const makeRubricWriter = maker(WRITER);
/** Rates rollouts by rubrics (RaR+). */
export const makeRubricJudge = maker(RATER);
/** Compares actions (PivotRL). */
export const makeEquivalenceJudge = maker(EQUIVALENCE);
