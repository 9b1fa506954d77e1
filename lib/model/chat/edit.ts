import type { z } from "zod";
import {
  type Budget,
  type endpointSchema,
  type ModelSettings,
  type modelSchema,
  type RoleSetting,
  SettingsError,
  settingsFile,
} from "./settings";
import type { RoleName } from "./types";

/*
 * Changes of the settings as people make them, one thing at a time. They give back new settings, unchecked:
 * `changeSettings` checks and writes them. A rename follows through to whatever uses the name.
 */

/** Puts the entry in the place of the one called `was`, or at the end. */
function put<T extends { name: string }>(list: readonly T[], was: string | null, entry: T): T[] {
  return was !== null && list.some((one) => one.name === was)
    ? list.map((one) => (one.name === was ? entry : one))
    : [...list, entry];
}

const used = (what: string, by: string[]) => {
  if (by.length > 0)
    throw new SettingsError(settingsFile(), null, `${what} is used by ${by.join(", ")}; change that first`);
};

export const putEndpoint = (now: ModelSettings, was: string | null, entry: z.input<typeof endpointSchema>) => ({
  ...now,
  endpoints: put<z.input<typeof endpointSchema>>(now.endpoints, was, entry),
  models: now.models.map((model) => (model.endpoint === was ? { ...model, endpoint: entry.name } : model)),
});

/** Throws SettingsError while models use it. */
export function dropEndpoint(now: ModelSettings, name: string) {
  used(
    `endpoint "${name}"`,
    now.models.flatMap((model) => (model.endpoint === name ? [`model "${model.name}"`] : [])),
  );
  return { ...now, endpoints: now.endpoints.filter((endpoint) => endpoint.name !== name) };
}

/** Prices and calls stay with the name that they were written under. */
export const putModel = (now: ModelSettings, was: string | null, entry: z.input<typeof modelSchema>) => ({
  ...now,
  models: put<z.input<typeof modelSchema>>(now.models, was, entry),
  roles: Object.fromEntries(
    Object.entries(now.roles).map(([role, setting]) => [
      role,
      setting.model === was ? { ...setting, model: entry.name } : setting,
    ]),
  ),
});

/** Throws SettingsError while roles use it. */
export function dropModel(now: ModelSettings, name: string) {
  used(
    `model "${name}"`,
    Object.entries(now.roles).flatMap(([role, setting]) => (setting.model === name ? [`role ${role}`] : [])),
  );
  return { ...now, models: now.models.filter((model) => model.name !== name) };
}

/** null: no model plays the role; the rules do, where there are any. */
export function putRole(now: ModelSettings, role: RoleName, setting: RoleSetting | null) {
  const { [role]: _, ...others } = now.roles;
  return { ...now, roles: setting === null ? others : { ...others, [role]: setting } };
}

export const putBudgets = (now: ModelSettings, budgets: Budget) => ({ ...now, budgets });
