import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { BASE_MIX } from "@/lib/environment/suite/demonstrate";
import { usableBackend } from "@/lib/model/onnx/compile";
import { checkpointFolder, loadCheckpoint, readCard, registerCheckpoint } from "@/lib/model/policy/checkpoint";
import { createSampler } from "@/lib/model/policy/sampler";
import { EmbeddedPolicy } from "@/lib/profile/policies/embedded";
import { wrongMovesOf } from "@/lib/profile/policies/inject";
import {
  catchScript,
  demonstratorScript,
  expertScript,
  type Script,
  scriptedPolicy,
} from "@/lib/profile/policies/scripted";
import type { Localizer, Policy, Teacher } from "@/lib/profile/roles";
import type { ProfileSettings, RoleSpec } from "@/lib/profile/settings";
import { rulesLocalizer } from "./rulesLocalizer";
import { suiteTeacher } from "./suiteTeacher";

/** The settings name a role that this version does not have, or that cannot be used here. The message says what there is. */
export class UnknownRole extends Error {}

export interface RoleContext {
  db: Db;
  settings: ProfileSettings;
}

/** How a policy of one kind is had. */
export interface PolicyMaker {
  /** Row of `checkpoint` that the spec means, made when it is missing. Throws UnknownRole. */
  checkpoint(db: Db, spec: RoleSpec): number;
  make(context: RoleContext, checkpointId: number): Promise<Policy>;
}

/** Row of a checkpoint by name, made on first use. */
export function checkpointNamed(db: Db, name: string, kind: "scripted" | "embedded" | "endpoint"): number {
  const found = statement(db, "select id from checkpoint where name = ?").get(name) as { id: number } | undefined;
  if (found) return found.id;
  return Number(statement(db, "insert into checkpoint (name, kind) values (?, ?)").run(name, kind).lastInsertRowid);
}

const scripted = (name: string, script: (settings: ProfileSettings) => Script): PolicyMaker => ({
  checkpoint: (db) => checkpointNamed(db, name, "scripted"),
  make: async ({ settings }, checkpointId) => scriptedPolicy(name, checkpointId, script(settings)),
});

/** Sampling on one thread leaves the other core to the sandboxes, and the bits do not depend on the number of cores. */
const THREADS = 1;

const nameOf = (spec: RoleSpec): string => String(spec.options.name ?? "");

const embedded: PolicyMaker = {
  checkpoint(db, spec) {
    const folder = checkpointFolder(nameOf(spec));
    if (folder === null)
      throw new UnknownRole(
        `there is no checkpoint "${nameOf(spec)}" on this machine, nor a policy of that name; "misstep pretrain --name ${nameOf(spec)}" makes one`,
      );
    return registerCheckpoint(db, readCard(folder));
  },
  async make({ settings }, checkpointId) {
    const checkpoint = await loadCheckpoint(nameOf(settings.policy));
    const sampler = await createSampler(checkpoint.weights, checkpoint.config, {
      threads: THREADS,
      backend: (await usableBackend()).backend,
      slots: settings.parallel,
    });
    const { temperature, topP } = settings;
    return new EmbeddedPolicy(checkpointId, checkpoint, sampler, { temperature, topP });
  },
};

/** Policy of catch trials. */
export const CATCH_POLICY = "expert-with-errors";

/** Implementations by the name that settings use. A new kind of policy, localizer or teacher is one more entry. */
export const POLICIES: Record<string, PolicyMaker> = {
  embedded,
  expert: scripted("expert", () => expertScript),
  demonstrator: scripted("demonstrator", () => demonstratorScript(BASE_MIX)),
  [CATCH_POLICY]: scripted(CATCH_POLICY, ({ injectShare }) => catchScript(wrongMovesOf, injectShare)),
};
export const LOCALIZERS: Record<string, (context: RoleContext) => Promise<Localizer>> = {
  rules: async () => rulesLocalizer,
};
export const TEACHERS: Record<string, (context: RoleContext) => Promise<Teacher>> = {
  expert: async () => suiteTeacher,
};

function found<T>(what: string, all: Record<string, T>, name: string): T {
  const one = Object.hasOwn(all, name) ? all[name] : undefined;
  if (one === undefined)
    throw new UnknownRole(`there is no ${what} "${name}"; this version has ${Object.keys(all).join(", ")}`);
  return one;
}

/** A policy as a person names it: a scripted one, else a checkpoint of the embedded kind. Throws UnknownRole. */
export function policySpec(name: string): RoleSpec {
  if (Object.hasOwn(POLICIES, name)) return { use: name, options: {} };
  if (Object.hasOwn(POLICIES, "embedded")) return { use: "embedded", options: { name } };
  throw new UnknownRole(`there is no policy "${name}"; this version has ${Object.keys(POLICIES).join(", ")}`);
}

/** Throws UnknownRole. */
export const policyMaker = (spec: RoleSpec): PolicyMaker => found("policy", POLICIES, spec.use);

/** The roles of a profile, ready to be asked. The caller closes the policy. Throws UnknownRole. */
export async function makeRoles(
  context: RoleContext,
  checkpointId: number,
): Promise<{ policy: Policy; localizer: Localizer | null; teacher: Teacher | null }> {
  const { localizer, teacher, policy, mode } = context.settings;
  const judge = localizer && found("localizer", LOCALIZERS, localizer.use);
  const corrects = mode === "profile" && teacher ? found("teacher", TEACHERS, teacher.use) : null;
  const made = policyMaker(policy);
  return {
    localizer: judge && (await judge(context)),
    teacher: corrects && (await corrects(context)),
    policy: await made.make(context, checkpointId),
  };
}
