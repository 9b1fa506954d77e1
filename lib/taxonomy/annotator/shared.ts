import { z } from "zod";
import { readId } from "@/lib/model/role/ids";
import { type Example, type KnownType, type ProposedType, UNASSIGNED, type Unassigned } from "@/lib/taxonomy/types";

/** Characters of a text that an annotator is shown. */
const SHOWN = 800;
const cut = (text: string | null): string | null =>
  text === null || text.length <= SHOWN
    ? text
    : `${text.slice(0, SHOWN)} … (${text.length - SHOWN} characters left out)`;

/**
 * Error steps as an annotator is shown them: one JSON object a line, so that nothing in them can be taken for ours. Ids
 * count from 1 in the batch: short numbers are copied without slips.
 */
export const shown = (batch: readonly Example[]): string =>
  batch
    .map((e, i) =>
      JSON.stringify({
        id: i + 1,
        command: cut(e.command),
        what_it_does: cut(e.commandSeen),
        why_it_is_a_failure: cut(e.reason),
      }),
    )
    .join("\n");

/** Types in force as an annotator is shown them. */
export const shownTypes = (types: readonly KnownType[]): string =>
  types
    .map((t) =>
      JSON.stringify({
        name: t.name,
        definition: t.definition,
        is_not: t.excludes,
        examples: t.examples.map((e) => ({ command: cut(e.command), why_it_is_a_failure: cut(e.reason) })),
      }),
    )
    .join("\n");

const ids = z.array(z.union([z.number(), z.string()]));
export const typeSchema = z.object({
  name: z.string().trim().min(1).max(200),
  definition: z.string().trim().min(1),
  is_not: z.union([z.array(z.string()), z.string().transform((text) => [text])]).optional(),
  example_ids: ids,
});
export const reasonSchema = z.object({ id: z.union([z.number(), z.string()]), reason: z.string().optional() });
export const assignmentSchema = z.object({ id: z.union([z.number(), z.string()]), types: z.array(z.string()) });
export const idListSchema = z.array(
  z.union([z.number(), z.string(), z.object({ id: z.union([z.number(), z.string()]) })]),
);

/** Turns ids of a reply into step ids, and keeps account of what had to be mended. */
export class Reading {
  readonly repairs: string[] = [];
  private readonly strange = new Set<string>();
  constructor(private readonly batch: readonly Example[]) {}

  /** The step behind an id; undefined for one that was not asked about. */
  step(written: unknown): number | undefined {
    const id = readId(written);
    const found = id === null || id < 1 ? undefined : this.batch[id - 1]?.id;
    if (found === undefined) this.strange.add(String(written));
    return found;
  }

  /** The steps of a list, each once. */
  steps(written: readonly unknown[]): number[] {
    const all = written.map((id) => this.step(id)).filter((id) => id !== undefined);
    const once = [...new Set(all)];
    if (once.length < all.length) this.note("an id came twice in a list");
    return once;
  }

  note(text: string): void {
    if (!this.repairs.includes(text)) this.repairs.push(text);
  }

  /** What was mended, unknown ids last. */
  notes(): string[] {
    const strange = [...this.strange];
    const listed = strange.slice(0, 12).join(", ") + (strange.length > 12 ? ", …" : "");
    return strange.length === 0 ? this.repairs : [...this.repairs, `ids that were not asked about left out: ${listed}`];
  }

  /** Step ids written out as the batch's numbers. */
  numbers(steps: readonly number[]): string {
    const at = steps.slice(0, 12).map((id) => this.batch.findIndex((e) => e.id === id) + 1);
    return at.join(", ") + (steps.length > 12 ? ", …" : "");
  }
}

/** Types as written, without those that no step of the batch stands for; types of one name are joined. */
export function readTypes(written: readonly z.infer<typeof typeSchema>[], reading: Reading): ProposedType[] {
  const out = new Map<string, ProposedType>();
  for (const t of written) {
    const exampleIds = reading.steps(t.example_ids);
    if (exampleIds.length === 0) {
      reading.note(`type "${t.name}" left out: none of its examples was asked about`);
      continue;
    }
    const before = out.get(t.name.toLowerCase());
    if (before) reading.note(`type "${t.name}" came twice and was joined`);
    const excludes = (t.is_not ?? []).map((text) => text.trim()).filter((text) => text !== "");
    out.set(t.name.toLowerCase(), {
      name: before?.name ?? t.name,
      definition: before?.definition ?? t.definition,
      excludes: before?.excludes ?? excludes,
      exampleIds: [...new Set([...(before?.exampleIds ?? []), ...exampleIds])],
    });
  }
  return [...out.values()];
}

/**
 * Reasons of steps in no type. A step that stands in a type stays there; one that stands nowhere is unclear, which says
 * nothing about it.
 */
export function readUnassigned(
  written: readonly z.infer<typeof reasonSchema>[],
  placed: ReadonlySet<number>,
  batch: readonly Example[],
  reading: Reading,
): { id: number; reason: Unassigned }[] {
  const reasons = new Map<number, Unassigned>();
  for (const { id: given, reason } of written) {
    const id = reading.step(given);
    if (id === undefined) continue;
    const word = reason
      ?.trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_");
    const known = UNASSIGNED.find((u) => u === word);
    if (!known) reading.note("a reason that is none of the three was taken as unclear");
    if (placed.has(id)) reading.note("an id stood in a type and among the unassigned: it stays in the type");
    else if (reasons.has(id)) reading.note("an id was unassigned twice: the first reason counts");
    else reasons.set(id, known ?? "unclear");
  }
  const missing = batch.filter((e) => !placed.has(e.id) && !reasons.has(e.id)).map((e) => e.id);
  if (missing.length > 0) reading.note(`ids without an answer taken as unclear: ${reading.numbers(missing)}`);
  return [
    ...[...reasons].map(([id, reason]) => ({ id, reason })),
    ...missing.map((id) => ({ id, reason: "unclear" as const })),
  ];
}

/** Most of a batch has to be answered, else the reply is none. */
export const ANSWERED_SHARE = 0.5;

/** Names as written matched to the types shown; case, spaces and quotation marks are forgiven and said. */
export function nameMatcher(names: readonly string[], reading: Reading): (written: string) => string | undefined {
  const plain = (text: string) =>
    text
      .trim()
      .replace(/^["'“”‘’`]+|["'“”‘’`.]+$/g, "")
      .replace(/\s+/g, " ")
      .toLowerCase();
  const exact = new Set(names);
  const loose = new Map(names.map((name) => [plain(name), name]));
  return (written) => {
    if (exact.has(written)) return written;
    const found = loose.get(plain(written));
    if (found !== undefined) reading.note("a type's name was not copied exactly");
    return found;
  };
}
