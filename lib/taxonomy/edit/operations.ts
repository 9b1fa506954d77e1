import { z } from "zod";

const slug = z.string().min(1).max(200);
const name = z.string().trim().min(1, "a type needs a name").max(120, "at most 120 characters");
const definition = z.string().trim().min(1, "a type needs a definition").max(4000, "at most 4,000 characters");
const excludes = z.array(z.string().trim().min(1).max(1000)).max(20);

/** One edit by a person. Types are named by their slugs in the version as the edits before it left it. */
export const operationSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rename"), type: slug, name }),
  z.object({ kind: z.literal("redefine"), type: slug, definition, excludes: excludes.default([]) }),
  z.object({
    kind: z.literal("merge"),
    types: z.array(slug).min(2, "merging takes two types or more"),
    name,
    /** Absent: the definition of the first type. */
    definition: definition.optional(),
    excludes: excludes.optional(),
  }),
  z.object({
    kind: z.literal("split"),
    type: slug,
    into: z
      .array(z.object({ name, definition, excludes: excludes.default([]) }))
      .min(2, "splitting makes two types or more"),
  }),
  z.object({ kind: z.literal("retire"), type: slug }),
  z.object({ kind: z.literal("restore"), type: slug }),
  z.object({ kind: z.literal("examples"), type: slug, steps: z.array(z.number().int().positive()).max(50) }),
]);
export type Operation = z.infer<typeof operationSchema>;
export type GivenOperation = z.input<typeof operationSchema>;
export type OperationKind = Operation["kind"];

/** A type of the version that edits make, before it is written. */
export interface DraftType {
  slug: string;
  name: string;
  definition: string;
  excludes: string[];
  example: string | null;
  looksFor: string | null;
  rank: number;
  status: "kept" | "tail" | "retired";
  detectors: string[];
  examples: number[];
  /** Types of the version before that it came from. */
  lineage: number[];
  /** Types of the version before whose labels it takes over; restored types take them from further back. */
  labelsOf: number[];
  /** Its labels were made under another definition: they wait for a relabel. */
  stale: boolean;
  /** Restored by this draft: labels come from before it was retired. */
  restored: boolean;
}

/** An edit that cannot be made on this version, said so that a person can act on it. */
export class EditRefused extends Error {}

/** The type of a slug in a draft. Throws EditRefused. */
export function typeOf(types: readonly DraftType[], slug: string): DraftType {
  const found = types.find((t) => t.slug === slug);
  if (!found)
    throw new EditRefused(
      `there is no type "${slug}" in this version; there are ${types.map((t) => t.slug).join(", ")}`,
    );
  return found;
}

/** The same for a type that is in use. */
export function usedType(types: readonly DraftType[], slug: string): DraftType {
  const found = typeOf(types, slug);
  if (found.status === "retired") throw new EditRefused(`"${found.name}" is retired; restore it first`);
  return found;
}

/** A name without what makes no difference between names: case and white space. */
export const plainName = (name: string): string => name.trim().replace(/\s+/g, " ").toLowerCase();

/** Names tell types apart, for people and for annotators. Throws EditRefused. */
export function checkName(types: readonly DraftType[], name: string, except: readonly string[] = []): void {
  const other = types.find(
    (t) => t.status !== "retired" && !except.includes(t.slug) && plainName(t.name) === plainName(name),
  );
  if (other) throw new EditRefused(`another type is called "${other.name}"; choose a different name, or merge the two`);
}

/** A draft with one type changed. */
export const changed = (types: readonly DraftType[], slug: string, change: Partial<DraftType>): DraftType[] =>
  types.map((t) => (t.slug === slug ? { ...t, ...change } : t));
