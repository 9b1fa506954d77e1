import "server-only";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { home } from "@/db/home";
import { writeWhole } from "./file";
import { ROLE_NAMES, type RoleName, THINKING_LEVELS } from "./types";

/** Protocols that are spoken. `openai`: chat completions, as vLLM, LiteLLM and llama.cpp's server have it too. */
export const ENDPOINT_KINDS = ["openai", "anthropic", "google"] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

const name = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,119}$/, "is a name of letters, digits and . _ : / @ + -");

const baseUrl = z
  .string()
  .trim()
  .transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    const fault =
      url === null || !/^https?:$/.test(url.protocol)
        ? "is an address that begins with http:// or https://"
        : url.username || url.password
          ? "must hold no name or password: a key belongs in the environment or in keys.json"
          : url.search || url.hash
            ? "must have nothing after ? or #"
            : null;
    if (fault !== null) {
      context.addIssue({ code: "custom", message: fault });
      return z.NEVER;
    }
    return value.replace(/\/+$/, "");
  });

/** Where calls go. Limits hold for the endpoint as a whole, over all jobs of a process. */
export const endpointSchema = z.strictObject({
  name: name.max(64),
  kind: z.enum(ENDPOINT_KINDS),
  /** With the version part: "http://127.0.0.1:8000/v1", "https://api.anthropic.com/v1". */
  baseUrl,
  /** Name of the environment variable that holds the key. Without one, keys.json is looked into. */
  keyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is the name of an environment variable, never a key")
    // Some keys have the letters of a name. Here they would be shown, and stored for all to read.
    .refine((text) => text.length < 20 || !/[a-z]/.test(text) || !/[0-9]/.test(text), {
      message: "looks like a key; it is the name of the environment variable that holds it",
    })
    .optional(),
  /** Requests on their way at once. */
  concurrency: z.number().int().min(1).max(1000).default(4),
  requestsPerMinute: z.number().positive().optional(),
  /** Of one try, until the whole answer is there. */
  timeoutSeconds: z.number().positive().max(86_400).default(120),
  /** Tries of one call, the first included. */
  tries: z.number().int().min(1).max(20).default(5),
});
export type Endpoint = z.output<typeof endpointSchema>;

/** How an `openai` endpoint is told the thinking level: by `reasoning_effort`, or as vLLM's `chat_template_kwargs.enable_thinking`. */
export const THINKING_BY = ["effort", "template"] as const;

export const modelSchema = z.strictObject({
  name,
  endpoint: z.string(),
  /** What the server calls it. */
  id: z.string().trim().min(1).max(300),
  thinking: z.enum(THINKING_LEVELS).optional(),
  thinkingBy: z.enum(THINKING_BY).optional(),
  /** Sent where a call does not say. */
  maxOutputTokens: z.number().int().positive().optional(),
  /** Prompt and reply together; policies end a rollout before it is passed. */
  contextTokens: z.number().int().positive().optional(),
});
export type Model = z.output<typeof modelSchema>;

/** Temperature of a role that does not say (recipe 11): policies 1.0, all others 0.7. */
export const defaultTemperature = (role: RoleName): number => (role === "policy" ? 1 : 0.7);

export const roleSchema = z.strictObject({
  model: z.string(),
  temperature: z.number().min(0).max(2).optional(),
  thinking: z.enum(THINKING_LEVELS).optional(),
});
export type RoleSetting = z.output<typeof roleSchema>;

/** What one job may use; a limit that is absent does not hold. */
export const budgetSchema = z.strictObject({
  calls: z.number().int().positive().optional(),
  tokens: z.number().int().positive().optional(),
  usd: z.number().positive().optional(),
});
export type Budget = z.output<typeof budgetSchema>;

const sameName = (rows: { name: string }[]) =>
  rows.findIndex((row, at) => rows.findIndex((r) => r.name === row.name) < at);

/** The file models.json. */
export const settingsSchema = z
  .strictObject({
    endpoints: z.array(endpointSchema).default([]),
    models: z.array(modelSchema).default([]),
    roles: z.partialRecord(z.enum(ROLE_NAMES), roleSchema).default({}),
    budgets: budgetSchema.default({}),
  })
  .check(({ value, issues }) => {
    const fault = (path: (string | number)[], message: string) =>
      issues.push({ code: "custom", path, message, input: value });
    for (const list of ["endpoints", "models"] as const) {
      const twice = sameName(value[list]);
      if (twice >= 0) fault([list, twice, "name"], `"${value[list][twice]?.name}" is there twice`);
    }
    value.models.forEach((model, at) => {
      if (!value.endpoints.some((e) => e.name === model.endpoint))
        fault(["models", at, "endpoint"], `there is no endpoint "${model.endpoint}"`);
    });
    for (const [role, setting] of Object.entries(value.roles))
      if (!value.models.some((m) => m.name === setting.model))
        fault(["roles", role, "model"], `there is no model "${setting.model}"`);
  });
export type ModelSettings = z.output<typeof settingsSchema>;

/** Settings that cannot be read, or must not be written. The message names file, place in it and reason. */
export class SettingsError extends Error {
  constructor(
    readonly file: string,
    /** As in `models.0.endpoint`; null when it is the file as a whole. */
    readonly place: string | null,
    readonly reason: string,
  ) {
    super(`${file}${place === null ? "" : `, ${place}`}: ${reason}`);
    this.name = "SettingsError";
  }
}

/** The file of the model settings in the home for data. */
export const settingsFile = (): string => path.join(home().root, "models.json");

/** Reads the settings; no file means no endpoints. Throws SettingsError. */
export function readSettings(file = settingsFile()): ModelSettings {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return settingsSchema.parse({});
    throw new SettingsError(file, null, error instanceof Error ? error.message : String(error));
  }
  return parseSettings(text, file);
}

/** What the parser says, with the line in place of the text that it quotes: somebody may have put a key there. */
function syntaxFault(error: unknown, text: string): string {
  const said = error instanceof Error ? error.message : String(error);
  const quoted = /^(.*?),? (?:\.\.\.)?"([\s\S]*?)"(?:\.\.\.)? is not valid JSON$/.exec(said);
  const at = /^(.*) at position (\d+)/.exec(said);
  const place = quoted
    ? text.indexOf(quoted[2] ?? "") + Math.min(10, (quoted[2] ?? "").length)
    : at
      ? Number(at[2])
      : -1;
  const fault = quoted?.[1] ?? at?.[1] ?? said;
  return place < 0 ? fault : `${fault} about line ${text.slice(0, place).split("\n").length}`;
}

function parseSettings(text: string, file: string): ModelSettings {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new SettingsError(file, null, `no JSON: ${syntaxFault(error, text)}`);
  }
  return checkSettings(json, file);
}

/** Checks settings that are to be written. Throws SettingsError with the first field at fault. */
export function checkSettings(value: unknown, file = settingsFile()): ModelSettings {
  const read = settingsSchema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new SettingsError(file, issue?.path.join(".") || null, issue?.message ?? "does not fit");
}

/**
 * Changes the settings file: reads, lets `change` make the new whole, checks, writes it in one step (a reader sees the
 * old file or the new one). A file that cannot be read is never overwritten: that throws SettingsError.
 */
export function changeSettings(change: (now: ModelSettings) => unknown, file = settingsFile()): ModelSettings {
  const next = checkSettings(change(readSettings(file)), file);
  writeWhole(file, `${JSON.stringify(next, null, 2)}\n`);
  return next;
}
