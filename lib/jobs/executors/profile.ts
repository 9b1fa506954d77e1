import "server-only";
import { setMaxListeners } from "node:events";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Ground } from "@/lib/environment/ground";
import { environmentById, NoSuchEnvironment } from "@/lib/environment/store";
import { ensureTinyEnvironments } from "@/lib/environment/suite/ensure";
import { environmentAt, suiteName } from "@/lib/environment/suite/splits";
import type { Counts, Executor, ItemRow, ItemsContext, NewItem } from "@/lib/jobs/executor";
import { profileRefusal } from "@/lib/jobs/place/refusal";
import type { JobRow } from "@/lib/jobs/queue";
import { type Performed, type PlannedEnvironment, performRollout } from "@/lib/profile/perform";
import { lazyModels } from "@/lib/profile/roles/models";
import { makeRoles } from "@/lib/profile/roles/registry";
import { type Roles, RolloutCancelled } from "@/lib/profile/rollout";
import { type ProfileSettings, profileSettings } from "@/lib/profile/settings";
import {
  type NamedRole,
  prepareRollout,
  type RoleNames,
  type RolloutIdentity,
  storeRollout,
} from "@/lib/profile/storeRollout";
import { runGrounded } from "./grounded";

/** A profile as its job needs it. */
interface Profile {
  id: number;
  studyId: number;
  checkpointId: number;
  settings: ProfileSettings;
}

const itemSchema = z.object({ environmentId: z.number(), environment: z.string(), number: z.number() });
/** Environments that are made and listed in one transaction. */
const LISTED_AT_ONCE = 20;

function profileOf(db: Db, jobId: number): Profile {
  const row = statement(
    db,
    "select id, study_id as studyId, checkpoint_id as checkpointId, settings from profile where job_id = ?",
  ).get(jobId) as (Omit<Profile, "settings"> & { settings: string }) | undefined;
  if (!row) throw new Error(`no profile belongs to job ${jobId}; start a new one`);
  return { ...row, settings: profileSettings.parse(JSON.parse(row.settings)) };
}

function environmentOf(db: Db, id: number): PlannedEnvironment {
  const environment = environmentById(db, id);
  if (!environment) throw new NoSuchEnvironment(`environment ${id} is gone; import its task directory again`);
  const more = statement(db, "select family, seed from environment where id = ?").get(id) as {
    family: string | null;
    seed: number | null;
  };
  return { ...environment, ...more };
}

/** Environments of a profile in order, in batches; those of the suite are made where they are missing. */
function* environmentsOf(db: Db, { environments }: ProfileSettings): Generator<{ id: number; name: string }[]> {
  if ("ids" in environments) {
    yield [...new Set(environments.ids)].map((id) => ({ id, name: environmentOf(db, id).name }));
    return;
  }
  const { part, count, from: first } = environments;
  for (let from = 0; from < count; from += LISTED_AT_ONCE) {
    const names = Array.from({ length: Math.min(LISTED_AT_ONCE, count - from) }, (_, i) => {
      const { family, seed } = environmentAt(part, first + from + i);
      return suiteName(family, seed);
    });
    yield [...ensureTinyEnvironments(db, names)].map(([name, id]) => ({ id, name }));
  }
}

function countsOf(performed: Performed): Counts {
  if (performed.kind === "void") return { rollouts: 1, void: 1 };
  const { status, steps, errorSteps, formatErrors, corrections, unjudged, teacherFailures } = performed.rollout;
  const counts: Counts = {
    rollouts: 1,
    [status]: 1,
    steps,
    errorSteps,
    corrections,
    ...(performed.reward === null ? {} : { scored: 1, passed: performed.reward >= 1 ? 1 : 0 }),
  };
  const rare = { formatErrors, unjudged, teacherFailures };
  for (const [name, n] of Object.entries(rare)) if (n > 0) counts[name] = n;
  return counts;
}

/** What one rollout came to, and who judged it. Plain data. */
interface DoneRollout {
  identity: RolloutIdentity;
  performed: Performed;
  names: RoleNames;
}

const nameOf = ({ kind, name, version }: NamedRole): NamedRole => ({ kind, name, version });

/** One rollout. Throws RolloutCancelled. */
async function performItem(
  { db, job, signal }: { db: Db; job: JobRow; signal: AbortSignal },
  item: ItemRow,
  profile: Profile,
  roles: Roles,
  ground: Ground,
): Promise<DoneRollout> {
  const { environmentId, environment, number } = itemSchema.parse(JSON.parse(item.payload));
  const planned = environmentOf(db, environmentId);
  const performed = await performRollout(ground, planned, number, roles, profile.settings, signal);
  if (signal.aborted) throw new RolloutCancelled();
  const { localizer, alongside, teacher } = roles;
  return {
    identity: { profileId: profile.id, studyId: profile.studyId, jobId: job.id, environmentId, environment, number },
    performed,
    names: {
      localizer: localizer && nameOf(localizer),
      alongside: (alongside ?? []).map(nameOf),
      teacher: teacher && nameOf(teacher),
    },
  };
}

/** Packs a rollout; its trajectory, its row and its counts are one transaction. */
function receive(db: Db, { identity, performed, names }: DoneRollout): { effect: () => Counts; said?: string } {
  const ready = prepareRollout(identity, performed);
  const { environment, number } = identity;
  return {
    effect: () => {
      storeRollout(db, identity, ready, names);
      return countsOf(performed);
    },
    ...(performed.kind === "void" ? { said: `${environment}/${number} is void: ${performed.reason}` } : {}),
  };
}

/** Runs a rollout and stores it. Throws RolloutCancelled. */
async function runItem(context: ItemsContext, item: ItemRow, profile: Profile, roles: Roles, ground: Ground) {
  const { effect, said } = receive(context.db, await performItem(context, item, profile, roles, ground));
  context.together(() => {
    context.commit(item, effect);
    context.end(item, { status: "done" });
  });
  if (said !== undefined) context.log("warn", said);
}

/**
 * A profiling run (paper 3.2): an item a rollout, `parallel` at a time so that the policy can batch, each stored as it
 * ends. Everything drawn comes from (seed, environment, number), so a killed worker redoes the rollouts in flight and
 * the contents are the same.
 */
export function makeProfileExecutor(connect: (db: Db) => Promise<Ground>): Executor {
  return {
    kind: "profile",
    batch: 100_000,

    async *list({ db, job, signal }) {
      const { settings } = profileOf(db, job.id);
      for (const batch of environmentsOf(db, settings)) {
        const items: NewItem[] = batch.flatMap(({ id, name }) =>
          Array.from({ length: settings.rollouts }, (_, i) => ({
            key: `${name}/${i + 1}`,
            payload: { environmentId: id, environment: name, number: i + 1 },
          })),
        );
        yield { items };
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted) return;
      }
    },

    async run(context) {
      const profile = profileOf(context.db, context.job.id);
      const roles = await makeRoles(
        {
          db: context.db,
          settings: profile.settings,
          models: lazyModels(context.db, { jobId: context.job.id, signal: context.signal }),
          signal: context.signal,
        },
        profile.checkpointId,
      );
      const queue = [...context.items];
      // Every rollout in flight waits for it.
      setMaxListeners(0, context.signal);
      try {
        await runGrounded(
          context,
          queue,
          { count: 0 },
          {
            what: "rollouts",
            parallel: profile.settings.parallel,
            connect: () => connect(context.db),
            run: (item, ground) => runItem(context, item, profile, roles, ground),
          },
        );
      } finally {
        await roles.policy.close();
      }
    },

    away: {
      refusal: (db, job) => profileRefusal(profileOf(db, job.id).settings),
      async open(context) {
        const profile = profileOf(context.db, context.job.id);
        const { db, signal } = context;
        const settings = { ...profile.settings, parallel: 2 * context.lanes };
        const roles = await makeRoles({ db, settings, signal }, profile.checkpointId);
        const ground = await connect(db);
        return {
          perform: (item) => performItem(context, item, { ...profile, settings }, roles, ground),
          async close() {
            await roles.policy.close();
            await ground.close();
          },
        };
      },
      receive: ({ db }, _, value) => receive(db, value as DoneRollout),
      checkpoints: (db, job) => {
        const { policy } = profileOf(db, job.id).settings;
        return policy.use === "embedded" ? [String(policy.options.name ?? "")] : [];
      },
    },
  };
}
