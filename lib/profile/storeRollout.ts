import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { stepId } from "@/db/ids";
import type { CorrectionDetails } from "@/db/queries/corrections";
import { statement } from "@/db/statement";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { type Prepared, prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { totals } from "@/lib/trajectory/totals";
import { addErrorStep, localizerId, recount } from "./errorSteps";
import type { Performed } from "./perform";
import type { Localizer } from "./roles";
import type { StepRecord, Try, Verdict } from "./rolloutLog";
import { type Finding, localize } from "./rules";
import { errorTypeIds, storeFindings } from "./scan";

/** Which rollout of which profile. */
export interface RolloutIdentity {
  profileId: number;
  studyId: number;
  jobId: number;
  environmentId: number;
  environment: string;
  number: number;
}

/** A localizer or teacher as the index knows it. */
export type NamedRole = Pick<Localizer, "kind" | "name" | "version">;

export interface RoleNames {
  localizer: NamedRole | null;
  alongside?: readonly NamedRole[];
  teacher: NamedRole | null;
}

/** A rollout with all that is computed before the database is touched. */
export interface PreparedRollout {
  performed: Performed;
  prepared: Prepared | null;
}

/** Packs a rollout's texts: the slow part, outside of the transaction. */
export function prepareRollout(identity: RolloutIdentity, performed: Performed): PreparedRollout {
  if (performed.kind === "void") return { performed, prepared: null };
  const trajectory = totals(performed.rollout.trajectory);
  const { profileId, environment, number } = identity;
  const hash = createHash("sha256")
    .update(`profile ${profileId} ${environment} ${number}\n${stepsFingerprint(trajectory.steps)}`)
    .digest("hex");
  return { performed, prepared: prepareTrajectory(trajectory, hash) };
}

const judged = (verdict: Verdict | null) => (verdict !== null && "judgement" in verdict ? verdict.judgement : null);

/** What one localizer said of a step. */
interface Said {
  index: number;
  verdict: Verdict | null;
}

/** What the rule localizer said while the rollout ran, as a scan of its trajectory says it. */
const findingsOf = (records: readonly Said[]): Finding[] =>
  records.flatMap(({ index, verdict }) => {
    const judgement = judged(verdict);
    return (judgement?.findings ?? []).map((f) => ({ step: index, ...f, commandSeen: judgement?.commandSeen ?? "" }));
  });

/** Verdicts of a localizer that is no rule set: every one is kept, with its reply. */
function storeVerdicts(db: Db, trajectoryId: number, localizer: NamedRole, records: readonly Said[]): void {
  const id = localizerId(db, localizer.kind, localizer.name, localizer.version);
  const insert = statement(
    db,
    "insert into localization (step_id, localizer_id, verdict, reason, command_seen, evidence, reply, usage_id) values (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (const { index, verdict } of records) {
    if (verdict === null) continue;
    const step = stepId(trajectoryId, index);
    if ("failure" in verdict) {
      const { kind, message, reply, callId } = verdict.failure;
      insert.run(step, id, kind, message, null, null, reply, callId);
      continue;
    }
    const { verdict: word, reason, commandSeen, findings, reply, callId } = verdict.judgement;
    const evidence = JSON.stringify(findings.flatMap((f) => f.evidence));
    const row = insert.run(step, id, word, reason, commandSeen, evidence, reply, callId ?? null).lastInsertRowid;
    if (word !== "bad") continue;
    addErrorStep(db, trajectoryId, index);
    if (reason !== null) statement(db, "insert into reason_fts (rowid, reason) values (?, ?)").run(row, reason);
  }
  recount(db, trajectoryId);
}

/** Verdicts of one localizer over a rollout: of a rule set its findings, as a scan has them; of any other every verdict. */
function storeSaid(db: Db, trajectoryId: number, localizer: NamedRole, said: readonly Said[]): void {
  if (localizer.kind === "rule") storeFindings(db, trajectoryId, findingsOf(said), true);
  else storeVerdicts(db, trajectoryId, localizer, said);
}

function detailsOf({ verdict, failure }: Try): CorrectionDetails {
  const judgement = judged(verdict);
  const notJudged = verdict !== null && "failure" in verdict ? verdict.failure : null;
  return {
    judgement: judgement
      ? {
          verdict: judgement.verdict,
          commandSeen: judgement.commandSeen,
          reason: judgement.reason,
          findings: judgement.findings.map(({ misbehavior, reason }) => ({ misbehavior, reason })),
        }
      : notJudged && { verdict: notJudged.kind, commandSeen: null, reason: notJudged.message, findings: [] },
    failure: failure && { kind: failure.kind, message: failure.message },
  };
}

function storeTries(db: Db, trajectoryId: number, teacher: NamedRole, records: readonly StepRecord[]): void {
  const insert = statement(
    db,
    `insert into correction (step_id, source, source_name, thinking, command, attempt, accepted, reply, usage_id, details)
     values (?, 'teacher', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { index, tries } of records)
    for (const one of tries)
      insert.run(
        stepId(trajectoryId, index),
        `${teacher.name} ${teacher.version}`,
        one.proposal?.thinking ?? null,
        one.proposal?.command ?? "",
        one.attempt,
        one.accepted ? 1 : 0,
        one.proposal?.reply ?? one.failure?.reply ?? null,
        one.proposal?.callId ?? one.failure?.callId ?? null,
        JSON.stringify(detailsOf(one)),
      );
}

function storeTruths(db: Db, trajectoryId: number, profileId: number, records: readonly StepRecord[]): void {
  const types = errorTypeIds(db);
  const insert = statement(db, "insert into trial_step (step_id, profile_id, error_type_id) values (?, ?, ?)");
  for (const { index, truth } of records)
    if (truth !== undefined)
      insert.run(stepId(trajectoryId, index), profileId, truth === null ? null : (types.get(truth) ?? null));
}

/**
 * Stores one rollout with everything known of its steps. Call inside the transaction that ends its item. Returns the id
 * of its trajectory; null for a void one, of which only the row with its reason is kept.
 */
export function storeRollout(
  db: Db,
  identity: RolloutIdentity,
  { performed, prepared }: PreparedRollout,
  names: RoleNames,
): number | null {
  const { profileId, studyId, jobId, environmentId, environment, number } = identity;
  let trajectoryId: number | null = null;
  let errorSteps = performed.kind === "done" ? performed.rollout.errorSteps : 0;
  if (performed.kind === "done" && prepared !== null) {
    const { records, trajectory } = performed.rollout;
    const sourceKey = `profile:${profileId}/${environment}/${number}#`;
    trajectoryId = storeTrajectory(db, prepared, { studyId, jobId, sourceKey }).id;
    const { localizer, teacher, alongside } = names;
    if (localizer === null) {
      // Nobody judged while it ran: the rules scan it as they scan every trajectory.
      const findings = localize(trajectory.steps, { beforeRun: true });
      storeFindings(db, trajectoryId, findings, true);
      errorSteps = new Set(findings.map((f) => f.step)).size;
    } else storeSaid(db, trajectoryId, localizer, records);
    for (const [at, one] of (alongside ?? []).entries())
      storeSaid(
        db,
        trajectoryId,
        one,
        records.map(({ index, others }) => ({ index, verdict: others[at] ?? null })),
      );
    if (teacher !== null) storeTries(db, trajectoryId, teacher, records);
    storeTruths(db, trajectoryId, profileId, records);
  }
  const done = performed.kind === "done" ? performed : null;
  statement(
    db,
    `insert into profile_rollout (profile_id, environment_id, number, trajectory_id, status, ended, void_reason,
       outcome_reward, steps, error_steps, format_errors, corrections, tokens, duration_ms)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    profileId,
    environmentId,
    number,
    trajectoryId,
    done?.rollout.status ?? "void",
    done?.rollout.ended ?? null,
    performed.kind === "void" ? performed.reason : null,
    done?.reward ?? null,
    done?.rollout.steps ?? 0,
    errorSteps,
    done?.rollout.formatErrors ?? 0,
    done?.rollout.corrections ?? 0,
    done?.rollout.tokens ?? null,
    performed.durationMs,
  );
  return trajectoryId;
}
