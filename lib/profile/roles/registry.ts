import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { BASE_MIX } from "@/lib/environment/suite/demonstrate";
import type { Models } from "@/lib/model/chat/open";
import { usableBackend } from "@/lib/model/onnx/compile";
import { checkpointFolder, loadCheckpoint, readCard, registerCheckpoint } from "@/lib/model/policy/checkpoint";
import { createSampler } from "@/lib/model/policy/sampler";
import { recorderOf } from "@/lib/model/role/record";
import { registerEndpointPolicy } from "@/lib/profile/policies/chat/checkpoint";
import { type ChatOptions, ChatPolicy, chatOptions } from "@/lib/profile/policies/chat/policy";
import { EmbeddedPolicy } from "@/lib/profile/policies/embedded";
import { isSlug, wrongMovesOf } from "@/lib/profile/policies/inject";
import {
  catchScript,
  demonstratorScript,
  expertScript,
  type Script,
  scriptedPolicy,
  toldDemonstratorScript,
} from "@/lib/profile/policies/scripted";
import type { Localizer, Policy, Teacher } from "@/lib/profile/roles";
import type { Roles } from "@/lib/profile/rollout";
import type { ProfileSettings, RoleSpec } from "@/lib/profile/settings";
import { absentCheckpoint } from "./absentCheckpoint";
import { modelLocalizer } from "./modelLocalizer";
import { modelOptionsOf, modelSettings, resolvedSpec, settledModel } from "./models";
import { modelTeacher } from "./modelTeacher";
import { rulesLocalizer } from "./rulesLocalizer";
import { suiteTeacher } from "./suiteTeacher";
import { UnknownRole } from "./unknown";

export { UnknownRole } from "./unknown";

/** What a localizer or teacher is made with. */
export interface AskContext {
  db: Db;
  /** Absent where no model may be asked. */
  models?: () => Models;
  signal?: AbortSignal;
  /** Localizers may answer from the cache of replies. Default true. */
  cache?: boolean;
}

export interface RoleContext extends AskContext {
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
    if (folder === null) throw new UnknownRole(absentCheckpoint(db, nameOf(spec)));
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

function chatOptionsOf(spec: RoleSpec): ChatOptions {
  const read = chatOptions.safeParse(spec.options);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new UnknownRole(
    `the chat policy's option ${issue?.path.join(".") || "?"}: ${issue?.message ?? "does not fit"}`,
  );
}

/** The model of a spec, and what the settings say of it. Throws UnknownRole. */
function modelOf({ models }: AskContext, name: string) {
  if (!models) throw new UnknownRole(`the model "${name}" cannot be asked here`);
  const opened = models();
  const { model } = settledModel(opened.settings, name);
  return { model: opened.model(name), id: model.id };
}

const chat: PolicyMaker = {
  checkpoint(db, spec) {
    const options = chatOptionsOf(spec);
    const { model, endpoint } = settledModel(modelSettings(), options.model);
    return registerEndpointPolicy(db, options, { modelId: model.id, endpointKind: endpoint.kind });
  },
  async make(context, checkpointId) {
    const { temperature, topP, policy } = context.settings;
    const options = chatOptionsOf(policy);
    const { name } = statement(context.db, "select name from checkpoint where id = ?").get(checkpointId) as {
      name: string;
    };
    const { model } = modelOf(context, options.model);
    return new ChatPolicy(checkpointId, name, model, { ...options, temperature, topP, signal: context.signal });
  },
};

/** What a localizer or teacher is made of that a model plays. `version` tells prompts and models apart. */
function played(context: AskContext, given: RoleSpec, role: "localizer" | "teacher") {
  const settings = context.models?.().settings;
  const spec = settings ? resolvedSpec(given, role, () => settings) : given;
  const { model: name, temperature, thinking } = modelOptionsOf(spec);
  const { model, id } = modelOf(context, name);
  return { model, asked: { id, temperature, thinking, signal: context.signal, record: recorderOf(context.db) } };
}

/** Policy of catch trials. */
export const CATCH_POLICY = "expert-with-errors";

/** Acts as the demonstrations of the base checkpoint do, and says of its steps what they show: for teaching judges. */
export const TOLD_POLICY = "demonstrator-with-truth";

/** Implementations by the name that settings use. A new kind of policy, localizer or teacher is one more entry. */
export const POLICIES: Record<string, PolicyMaker> = {
  embedded,
  chat,
  expert: scripted("expert", () => expertScript),
  demonstrator: scripted("demonstrator", () => demonstratorScript(BASE_MIX)),
  [TOLD_POLICY]: scripted(TOLD_POLICY, () => toldDemonstratorScript(BASE_MIX, isSlug)),
  [CATCH_POLICY]: scripted(CATCH_POLICY, ({ injectShare }) => catchScript(wrongMovesOf, injectShare)),
};
export const LOCALIZERS: Record<string, (context: AskContext, spec: RoleSpec) => Promise<Localizer>> = {
  rules: async () => rulesLocalizer,
  model: async (context, spec) => {
    const { model, asked } = played(context, spec, "localizer");
    return modelLocalizer(model, { cache: context.cache ?? true, ...asked });
  },
};
export const TEACHERS: Record<string, (context: AskContext, spec: RoleSpec) => Promise<Teacher>> = {
  expert: async () => suiteTeacher,
  model: async (context, spec) => {
    const { model, asked } = played(context, spec, "teacher");
    return modelTeacher(model, asked);
  },
};

function found<T>(what: string, all: Record<string, T>, name: string): T {
  const one = Object.hasOwn(all, name) ? all[name] : undefined;
  if (one === undefined)
    throw new UnknownRole(`there is no ${what} "${name}"; this version has ${Object.keys(all).join(", ")}`);
  return one;
}

/**
 * A localizer or teacher as a person names it: "rules", "expert", "model:NAME" with NAME of the model settings, or "model"
 * for the one that the settings give the role; "learned:NAME" for a behavior judge learned here.
 */
export function roleSpec(name: string): RoleSpec {
  if (name.startsWith("model:")) return { use: "model", options: { model: name.slice(6) } };
  if (name.startsWith("learned:")) return { use: "learned", options: { name: name.slice(8) } };
  return { use: name, options: {} };
}

/**
 * A policy as a person names it: "chat:NAME" for a model of the settings, "chat:NAME#fenced" in another dialect than native
 * tool calls; a scripted one; else a checkpoint of the embedded kind. Throws UnknownRole.
 */
export function policySpec(name: string): RoleSpec {
  if (name.startsWith("chat:")) {
    const [model = "", dialect] = name.slice(5).split("#");
    const spec = { use: "chat", options: { model, ...(dialect === undefined ? {} : { dialect }) } };
    chatOptionsOf(spec);
    return spec;
  }
  if (Object.hasOwn(POLICIES, name)) return { use: name, options: {} };
  if (Object.hasOwn(POLICIES, "embedded")) return { use: "embedded", options: { name } };
  throw new UnknownRole(`there is no policy "${name}"; this version has ${Object.keys(POLICIES).join(", ")}`);
}

/** Throws UnknownRole. */
export const policyMaker = (spec: RoleSpec): PolicyMaker => found("policy", POLICIES, spec.use);

/**
 * Whether the localizers and the teacher of a profile are kinds that there are, asked before it is queued: found out
 * rollout by rollout it would be a profile without any. Throws UnknownRole.
 */
export function checkRoles({ localizer, alongside, teacher }: ProfileSettings): void {
  for (const spec of [...(localizer ? [localizer] : []), ...alongside]) found("localizer", LOCALIZERS, spec.use);
  if (teacher) found("teacher", TEACHERS, teacher.use);
}

/** A localizer of a spec. Throws UnknownRole. */
export const makeLocalizer = (context: AskContext, spec: RoleSpec): Promise<Localizer> =>
  found("localizer", LOCALIZERS, spec.use)(context, spec);

/** The roles of a profile, ready to be asked. The caller closes the policy. Throws UnknownRole. */
export async function makeRoles(context: RoleContext, checkpointId: number): Promise<Roles> {
  const { localizer, alongside, teacher, policy, mode } = context.settings;
  const judge = (spec: RoleSpec) => makeLocalizer(context, spec);
  const corrects = mode === "profile" && teacher ? teacher : null;
  const made = policyMaker(policy);
  return {
    localizer: localizer && (await judge(localizer)),
    alongside: await Promise.all(alongside.map(judge)),
    teacher: corrects && (await found("teacher", TEACHERS, corrects.use)(context, corrects)),
    policy: await made.make(context, checkpointId),
  };
}
