import "server-only";
import { z } from "zod";
import { type Models, openModels } from "@/lib/model/chat/open";
import {
  defaultTemperature,
  type Endpoint,
  type Model,
  type ModelSettings,
  readSettings,
  SettingsError,
} from "@/lib/model/chat/settings";
import { type RoleName, THINKING_LEVELS } from "@/lib/model/chat/types";
import { DEFAULT_CONTEXT_TOKENS } from "@/lib/profile/policies/chat/policy";
import type { RoleSpec } from "@/lib/profile/settings";
import { UnknownRole } from "./unknown";

/** Options of a role that a model plays, filled in. */
const modelOptions = z.object({
  /** Name in the model settings. */
  model: z.string().min(1),
  temperature: z.number().min(0).max(2),
  thinking: z.enum(THINKING_LEVELS),
});
export type ModelOptions = z.infer<typeof modelOptions>;

/** A model of the settings with its endpoint. Throws UnknownRole. */
export function settledModel(settings: ModelSettings, name: string): { model: Model; endpoint: Endpoint } {
  const model = settings.models.find((one) => one.name === name);
  const endpoint = settings.endpoints.find((one) => one.name === model?.endpoint);
  if (!model || !endpoint) {
    const there = settings.models.map((one) => one.name).join(", ") || "none";
    throw new UnknownRole(`there is no model "${name}" in the model settings; there are: ${there}`);
  }
  return { model, endpoint };
}

/** The model settings. Throws UnknownRole where they cannot be read. */
export function modelSettings(): ModelSettings {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof SettingsError) throw new UnknownRole(error.message);
    throw error;
  }
}

/**
 * A spec of the kinds model and chat with everything in it that the model settings decide now, so that what is stored
 * says how it was made; other specs as they are. Without a name it is the model that the settings give the role.
 * Throws UnknownRole.
 */
export function resolvedSpec(spec: RoleSpec, role: RoleName, settings: () => ModelSettings = modelSettings): RoleSpec {
  if (spec.use !== "model" && spec.use !== "chat") return spec;
  const now = settings();
  const given = spec.options.model;
  const setting = now.roles[role];
  const name = typeof given === "string" && given !== "" ? given : setting?.model;
  if (name === undefined)
    throw new UnknownRole(`the model settings give the role ${role} no model; name one as ${spec.use}:NAME`);
  const { model } = settledModel(now, name);
  const own = setting?.model === name ? setting : undefined;
  const thinking = own?.thinking ?? model.thinking ?? "default";
  const filled: RoleSpec["options"] =
    spec.use === "chat"
      ? { thinking, contextTokens: Math.min(model.contextTokens ?? Number.POSITIVE_INFINITY, DEFAULT_CONTEXT_TOKENS) }
      : { thinking, temperature: own?.temperature ?? defaultTemperature(role) };
  return { use: spec.use, options: { ...filled, ...spec.options, model: name } };
}

/** Options of a resolved spec of the kind model. Throws UnknownRole. */
export function modelOptionsOf({ options }: RoleSpec): ModelOptions {
  const read = modelOptions.safeParse(options);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new UnknownRole(`model:${String(options.model ?? "")}, ${issue?.path.join(".")}: ${issue?.message}`);
}

/** Opens the models of the settings when the first of them is asked for: who needs none needs no settings. */
export function lazyModels(...given: Parameters<typeof openModels>): () => Models {
  let opened: Models | undefined;
  return () => {
    opened ??= openModels(...given);
    return opened;
  };
}
