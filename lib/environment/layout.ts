import type { z } from "zod";
import { refuse } from "./refused";
import type { EnvironmentSpec } from "./types";

/** What a layout states; name and digest are known to the caller. `name` null: the folder's name. */
export type LayoutSpec = Omit<EnvironmentSpec, "digest" | "name" | "substitutions"> & { name: string | null };

/** Parses the settings of a task file; a wrong value is refused with its key and what was expected. */
export function checked<S extends z.ZodType>(schema: S, value: unknown, file: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return refuse(file, issue ? issue.path.join(".") || null : null, issue?.message ?? "it does not have the known form");
}

/** Shell variables from a table of settings: numbers and booleans as text. */
export function variables(values: Record<string, string | number | boolean> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, String(value)]));
}

/** Megabytes of "2G", "512M", "1024K" or plain bytes as text; null when it is no size. */
export function megabytes(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*$/i.exec(text);
  if (!match?.[1]) return null;
  const factor = { "": 1 / 1024 ** 2, k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2 }[(match[2] ?? "").toLowerCase()];
  return factor === undefined ? null : Number(match[1]) * factor;
}
