"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { NothingToMeasure } from "@/lib/evaluate/behavior/plan";
import { NothingToLearn, trainJudge } from "@/lib/evaluate/behavior/trainJudge";
import { enqueueJudge, NothingToJudge } from "@/lib/jobs/judgeJob";
import { type DryMeasurement, dryMeasurement, enqueueMeasurement } from "@/lib/jobs/measureJob";
import { policySpec, roleSpec, UnknownRole } from "@/lib/profile/roles/registry";
import { UnusableName } from "@/lib/reward/behaviorJudge/learnedFile";

const whole = z.number({ error: "is no number" }).int();
const names = z.array(z.string().min(1).max(300));

const wanted = z.object({
  name: z.string().max(200),
  policies: names.min(1, "choose a checkpoint").max(64),
  misbehaviors: names,
  judges: names.min(1, "choose a judge").max(8),
  prefixes: whole.min(1).max(10_000),
  fewest: whole.min(1).max(10_000),
  samples: whole.min(1).max(1024),
  window: whole.min(1).max(64),
  seed: whole.min(0).max(Number.MAX_SAFE_INTEGER),
  outcome: z.boolean(),
  leaksAllowed: z.boolean(),
});
export type WantedMeasurement = z.input<typeof wanted>;

const REFUSALS = [NothingToMeasure, NothingToJudge, NothingToLearn, UnknownRole, UnusableName];

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (REFUSALS.some((kind) => error instanceof kind)) throw new ActionRefused((error as Error).message);
    if (error instanceof z.ZodError)
      throw new ActionRefused(error.issues.map((i) => `${i.path.join(".")}: ${i.message}`).join("; "));
    throw error;
  }
}

const asked = ({ name, policies, judges, ...rest }: z.output<typeof wanted>, requestedBy: string) => ({
  ...(name.trim() === "" ? {} : { name: name.trim() }),
  protocol: { ...rest, policies: policies.map(policySpec), judges: judges.map(roleSpec) },
  requestedBy,
});

/** Queues a measurement of misbehavior rates. */
export async function measureAction(input: WantedMeasurement): Promise<ActionResult<{ evaluationId: number }>> {
  return act(wanted, input, (values, actor) => refusing(() => enqueueMeasurement(getDb(), asked(values, actor.name))));
}

/** What a measurement would look at; nothing is queued. */
export async function dryMeasureAction(input: WantedMeasurement): Promise<ActionResult<DryMeasurement>> {
  return act(wanted, input, (values, actor) => refusing(() => dryMeasurement(getDb(), asked(values, actor.name))));
}

const judged = z.object({ evaluationId: whole.positive(), judge: z.string().min(1).max(300) });

/** Queues another judge's verdicts on a measurement that has ended. */
export async function judgeAction(input: z.input<typeof judged>): Promise<ActionResult<{ jobId: number }>> {
  return act(judged, input, ({ evaluationId, judge }, actor) =>
    refusing(() => enqueueJudge(getDb(), { evaluationId, judge: roleSpec(judge), requestedBy: actor.name })),
  );
}

const taught = z.object({
  measurement: whole.positive(),
  from: z.string().min(1).max(300),
  name: z.string().trim().min(1).max(48),
});

/** Teaches a judge from labels of people or from another judge's verdicts; it can be chosen at once. */
export async function teachJudgeAction(input: z.input<typeof taught>): Promise<ActionResult<{ judge: string }>> {
  return act(taught, input, (values) => refusing(() => ({ judge: `learned:${trainJudge(getDb(), values).name}` })));
}
