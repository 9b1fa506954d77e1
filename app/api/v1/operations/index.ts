import { z } from "zod";
import { operation } from "@/app/api/v1/operation";
import { count, report, tally, unaidedTally } from "@/app/api/v1/schemas";
import { corpusByModel, misbehaviorOverview } from "@/db/queries/misbehaviors";
import { corpusOverview } from "@/db/queries/overview";
import { ROLES } from "@/lib/people/actor";
import { studyDesign } from "@/lib/study/design";
import { finishedPhases, PHASES, readStudy } from "@/lib/study/state";

const counts = z.object({ errorSteps: count, trajectories: count, environments: count });

export const indexOperations = [
  operation({
    id: "whoAmI",
    method: "GET",
    path: "/me",
    tag: "index",
    role: "viewer",
    summary: "Who calls, and with which role",
    response: z.object({ personId: z.number().nullable(), name: z.string(), role: z.enum(ROLES) }),
    run: ({ actor: { personId, name, role } }) => ({ personId, name, role }),
  }),
  operation({
    id: "stats",
    method: "GET",
    path: "/stats",
    tag: "index",
    role: "viewer",
    summary: "Counts of the index: trajectories, outcomes, misbehaviors in force, models",
    response: z.object({
      corpus: z.object({
        trajectories: count,
        steps: count,
        errorSteps: count,
        environments: count,
        models: count,
        outcomes: z.object({ passed: count, partial: count, failed: count, unknown: count }),
        withoutSteps: z
          .object({ passed: count, partial: count, failed: count, unknown: count })
          .describe("of the trajectories those without any step: results alone"),
        formats: z.array(z.object({ format: z.string(), trajectories: count, steps: count })),
        prefixes: z.object({ drawn: count, kept: count }),
        trainings: count,
        profiles: z.object({ discarded: count, void: count, corrected: count }),
      }),
      misbehaviors: z.array(z.object({ slug: z.string(), name: z.string(), ...counts.shape })),
      named: counts,
      unlabelled: counts,
      unseen: count,
      models: z.array(
        z.object({
          model: z.string().nullable(),
          changing: z.boolean().describe("a policy in training: its weights changed between its rollouts"),
          ...tally.shape,
          unaided: unaidedTally,
        }),
      ),
    }),
    run: ({ db }) => {
      const types = misbehaviorOverview(db);
      return {
        corpus: corpusOverview(db),
        misbehaviors: types.rows,
        named: types.named,
        unlabelled: types.unlabelled,
        unseen: types.unseen,
        models: corpusByModel(db),
      };
    },
  }),
  operation({
    id: "study",
    method: "GET",
    path: "/study",
    tag: "index",
    role: "viewer",
    summary: "The study of this index: its design, what each phase made, and when",
    description: "`study` is null where no study was run here.",
    response: z.object({
      study: z
        .object({
          design: report(studyDesign.shape),
          made: z.record(z.string(), z.unknown()).describe("row ids by phase"),
          times: z.partialRecord(
            z.enum(PHASES),
            z.object({ startedAt: z.number(), finishedAt: z.number().nullable(), ms: z.number() }),
          ),
          machine: z.object({ cores: z.number(), cpu: z.string(), node: z.string() }),
          finished: z.array(z.enum(PHASES)),
        })
        .nullable(),
    }),
    run: ({ db }) => {
      const study = readStudy(db);
      return { study: study && { ...study, finished: finishedPhases(study) } };
    },
  }),
];
