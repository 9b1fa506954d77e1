import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import {
  before,
  count,
  idParam,
  limit,
  nextId,
  pageById,
  queued,
  report,
  roleName,
  share,
  time,
} from "@/app/api/v1/schemas";
import { listMeasurements } from "@/db/queries/measurements";
import { behaviorPlan } from "@/lib/evaluate/behavior/plan";
import { behaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { behaviorSummary } from "@/lib/evaluate/behavior/summary";
import { VOID_RULES } from "@/lib/evaluate/scores/attempts";
import { scoreReport } from "@/lib/evaluate/scores/report";
import { SCORE_METRICS } from "@/lib/evaluate/scores/summary";
import { INTERVAL_METHODS } from "@/lib/evaluate/stats/bootstrap";
import { enqueueJudge } from "@/lib/jobs/judgeJob";
import { dryMeasurement, enqueueMeasurement } from "@/lib/jobs/measureJob";
import { policySpec, roleSpec } from "@/lib/profile/roles/registry";

const interval = z.object({ low: z.number(), high: z.number() }).nullable();
const rate = z.object({
  numerator: z.number(),
  denominator: z.number(),
  value: share,
  interval,
  clusters: count.describe("prefixes with something in the denominator"),
});
const difference = z.object({ value: share, interval, p: share, clusters: count });
const ofCell = { checkpointId: z.number(), errorTypeId: z.number(), judge: z.string() };

const { policies: _p, judges: _j, ...protocol } = behaviorProtocol.shape;
const wanted = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  policies: z
    .array(roleName)
    .min(1)
    .max(64)
    .describe("checkpoints, chat:NAME or scripted policies; the first is compared with"),
  judges: z.array(roleName).min(1).max(8).default(["rules"]).describe("rules, model:NAME or learned:NAME"),
  ...protocol,
});
const asked = ({ name, policies, judges, ...rest }: z.output<typeof wanted>, requestedBy: string) => ({
  ...(name === undefined ? {} : { name }),
  protocol: { ...rest, policies: policies.map(policySpec), judges: judges.map(roleSpec) },
  requestedBy,
});

export const measurementOperations = [
  operation({
    id: "listMeasurements",
    method: "GET",
    path: "/measurements",
    tag: "measurements",
    role: "viewer",
    summary: "Measurements of misbehavior rates, newest first",
    query: z.strictObject({ limit: limit(1000), before }),
    response: z.object({
      next: nextId,
      measurements: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          jobId: z.number().nullable(),
          jobStatus: z.string().nullable(),
          checkpoints: z.array(z.string()),
          judges: z.array(z.string()),
          samples: count,
          void: count,
          labels: count.describe("windows that people labelled"),
          createdAt: time,
        }),
      ),
    }),
    run: ({ db, query }) => {
      const { rows, next } = pageById(
        listMeasurements(db, {
          limit: query.limit + 1,
          ...(query.before === undefined ? {} : { before: query.before }),
        }),
        query.limit,
      );
      return { next, measurements: rows };
    },
  }),
  operation({
    id: "showMeasurement",
    method: "GET",
    path: "/measurements/{id}",
    tag: "measurements",
    role: "viewer",
    summary: "Rates with intervals, differences to the first policy, agreement of the judges",
    params: idParam,
    query: z.strictObject({
      interval: z.enum(INTERVAL_METHODS).default("studentized").describe("how intervals are drawn"),
    }),
    response: report({
      id: z.number(),
      name: z.string(),
      jobId: z.number().nullable(),
      checkpoints: z.array(z.object({ id: z.number(), name: z.string() })),
      judges: z.array(z.string()),
      plan: behaviorPlan,
      cells: z.array(
        report({
          ...ofCell,
          rate,
          failed: count.describe("verdicts that failed: in no rate"),
          unparsed: count,
          void: count.describe("samples whose sandbox failed: in no rate"),
        }),
      ),
      differences: z.array(z.object({ ...ofCell, difference, adjusted: share.describe("p after Holm") })),
      reductions: z.array(
        z.object({ checkpointId: z.number(), judge: z.string(), ofMeans: share, meanOf: share, misbehaviors: count }),
      ),
      agreements: z.array(
        report({
          checkpointId: z.number(),
          errorTypeId: z.number(),
          first: z.string(),
          second: z.string(),
          agreement: share,
          kappa: share,
        }),
      ),
    }),
    run: ({ db, params: { id }, query }) => {
      const found = behaviorSummary(db, id, query.interval);
      if (!found) throw new CallError(404, `There is no measurement ${id}.`);
      return found;
    },
  }),
  operation({
    id: "planMeasurement",
    method: "POST",
    path: "/measurements/plan",
    tag: "measurements",
    role: "admin",
    summary: "What a measurement would look at; nothing is queued",
    body: wanted,
    response: z.object({
      plan: behaviorPlan,
      policies: count,
      prefixes: count,
      samples: count,
      verdicts: count,
      expectedMs: count.nullable().describe("by the pace of measurements of its kind; null: none ran"),
      paceOf: z
        .enum(["here", "study"])
        .nullable()
        .describe("whose pace that is: of measurements here, or of the study that was loaded"),
    }),
    run: ({ db, actor, body }) => dryMeasurement(db, asked(body, actor.name)),
  }),
  operation({
    id: "startMeasurement",
    method: "POST",
    path: "/measurements",
    tag: "measurements",
    role: "admin",
    summary: "Queue a measurement of misbehavior rates on held-out prefixes",
    body: wanted,
    status: 202,
    response: z.object({ ...queued.shape, evaluationId: z.number().describe("the measurement"), plan: behaviorPlan }),
    run: ({ db, actor, body }) => enqueueMeasurement(db, asked(body, actor.name)),
  }),
  operation({
    id: "judgeMeasurement",
    method: "POST",
    path: "/measurements/{id}/judge",
    tag: "measurements",
    role: "admin",
    summary: "Queue another judge's verdicts on a measurement that has ended; those that are there stay",
    params: idParam,
    body: z.strictObject({ judge: roleName.describe("rules, model:NAME or learned:NAME") }),
    status: 202,
    response: queued,
    run: ({ db, actor, params: { id }, body: { judge } }) =>
      enqueueJudge(db, { evaluationId: id, judge: roleSpec(judge), requestedBy: actor.name }),
  }),
  operation({
    id: "scores",
    method: "GET",
    path: "/scores",
    tag: "measurements",
    role: "viewer",
    summary: "Benchmark scores: means with both standard errors, pass@k, paired differences",
    description: "`scores` is null where no attempt has a score yet.",
    query: z.strictObject({
      models: z.array(z.string()).default([]).describe("only these, in this order; others are compared with the first"),
      dataset: z.string().optional().describe("set of tasks, by name or key; without: the largest"),
      metric: z.enum(SCORE_METRICS).default("solved"),
      k: z.coerce.number().int().min(1).max(1000).optional().describe("pass@k up to this k"),
      runs: z.coerce.number().int().min(1).max(1000).optional().describe("only the first attempts of each task"),
      voids: z.enum(VOID_RULES).default("apart").describe("attempts without a reward: apart, or as 0"),
    }),
    response: z.object({
      set: report({ key: z.string(), tasks: count, checkpoints: count }).nullable(),
      sets: z.array(report({ key: z.string() })),
      missing: z.array(z.string()).describe("models that were asked for and are not in the set"),
      k: count.nullable(),
      scores: z
        .array(
          report({
            checkpointId: z.number(),
            checkpoint: z.string(),
            tasks: count,
            tasksWithout: count,
            attempts: count,
            solved: count,
            partial: count,
            void: count,
            mean: share,
            seRuns: share,
            runsWhy: z.string().nullable(),
            seTasks: share,
            passAtK: z.array(z.object({ k: z.number(), value: share })),
            passTasks: count,
            passLeft: count,
          }),
        )
        .nullable(),
      differences: z.array(z.object({ before: z.string(), after: z.string(), difference: report(difference.shape) })),
    }),
    run: ({ db, query }) => {
      const made = scoreReport(db, {
        set: query.dataset ?? null,
        models: query.models.length === 0 ? null : query.models,
        metric: query.metric,
        k: query.k ?? null,
        runs: query.runs ?? null,
        voids: query.voids,
      });
      if (!made && query.dataset !== undefined)
        throw new CallError(404, `No set of scores is called ${query.dataset}.`);
      if (!made) return { set: null, sets: [], missing: [], k: null, scores: null, differences: [] };
      const { set, sets, missing, k, scores, differences } = made;
      return { set, sets, missing, k, scores, differences };
    },
  }),
];
