import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "@/db/client";
import { refresh } from "./budget";
import { type CallContext, call } from "./call";
import type { Environment } from "./keys";
import {
  type Budget,
  defaultTemperature,
  type Endpoint,
  type Model,
  type ModelSettings,
  readSettings,
  SettingsError,
  settingsFile,
} from "./settings";
import type { ChatModel, ModelName, RoleName, Thinking } from "./types";

/** Who plays a role, and how it is sampled. */
export interface RoleModel {
  model: ChatModel;
  temperature: number;
  thinking: Thinking;
  /** Prompt and reply together, as far as the settings say. */
  contextTokens: number | null;
  maxOutputTokens: number | null;
}

/** The models of the settings file, for one job or for none. */
export interface Models {
  readonly settings: ModelSettings;
  /** A model by its name in the settings. Throws SettingsError when there is none of that name. */
  model(name: ModelName): ChatModel;
  /** The model of a role as the settings have it, or `name` in its place; null: no model plays it. Throws SettingsError. */
  forRole(role: RoleName, name?: ModelName): RoleModel | null;
}

export interface OpenModelsOptions {
  /** Calls are written to this job, and its budget holds. */
  jobId?: number;
  signal?: AbortSignal;
  /** In place of the budget of the settings. */
  budget?: Budget;
  /** In place of the settings file, the environment and keys.json: for tests and for settings not yet saved. */
  settings?: ModelSettings;
  env?: Environment;
  keysFile?: string;
  /** In place of the clock and of chance: for tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  random?: () => number;
}

/**
 * Opens the models of the settings as they are now: limits, budget and keys are read once, here. One `openModels` a run
 * of a job, so that a resumed job sees a raised budget. Throws SettingsError when the file cannot be read.
 */
export function openModels(db: Db, options: OpenModelsOptions = {}): Models {
  const settings = options.settings ?? readSettings();
  if (options.jobId !== undefined) refresh(db, options.jobId);
  const context: CallContext = {
    db,
    jobId: options.jobId ?? null,
    budget: options.budget ?? settings.budgets,
    signal: options.signal,
    env: options.env ?? process.env,
    keysFile: options.keysFile,
    sleep: options.sleep ?? ((ms, signal) => delay(ms, undefined, { signal })),
    random: options.random ?? Math.random,
  };
  const find = (name: ModelName): { model: Model; endpoint: Endpoint } => {
    const model = settings.models.find((m) => m.name === name);
    const endpoint = settings.endpoints.find((e) => e.name === model?.endpoint);
    if (!model || !endpoint)
      throw new SettingsError(settingsFile(), "models", `there is no model "${name}"; add it in the settings`);
    return { model, endpoint };
  };
  const chatModel = (name: ModelName): ChatModel => {
    const place = find(name);
    return { name, chat: (request, purpose) => call(context, place, request, purpose) };
  };
  return {
    settings,
    model: chatModel,
    forRole(role, name) {
      const setting = settings.roles[role];
      const chosen = name ?? setting?.model;
      if (chosen === undefined) return null;
      const { model } = find(chosen);
      return {
        model: chatModel(chosen),
        temperature: setting?.temperature ?? defaultTemperature(role),
        thinking: setting?.thinking ?? model.thinking ?? "default",
        contextTokens: model.contextTokens ?? null,
        maxOutputTokens: model.maxOutputTokens ?? null,
      };
    },
  };
}
