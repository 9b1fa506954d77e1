import { Command } from "commander";
import type { Db } from "@/db/client";
import { applyEdits } from "@/lib/taxonomy/edit/apply";
import { inWords } from "@/lib/taxonomy/edit/draft";
import { EditRefused, type GivenOperation, operationSchema } from "@/lib/taxonomy/edit/operations";
import { plural } from "@/lib/text/format";
import { type JsonOption, openIndex, parseId, print, UsageError } from "@/scripts/cli/output";
import { label, pickTaxonomy, usable } from "./pick";

interface EditOptions extends JsonOption {
  note?: string;
}

/** Makes a version by one edit and says which. */
function make(db: Db, given: string, op: GivenOperation, options: EditOptions): void {
  const from = pickTaxonomy(db, given);
  const parsed = operationSchema.safeParse(op);
  if (!parsed.success) throw new UsageError(parsed.error.issues[0]?.message ?? "the edit cannot be read");
  const made = usable([EditRefused], () =>
    applyEdits(db, { taxonomyId: from.id, operations: [op], note: options.note ?? null, actor: "cli" }),
  );
  print(options, made, () => [
    `${label({ name: from.name, version: made.version })} (id ${made.taxonomyId}): ${inWords(parsed.data)}`,
    ...(made.stale > 0
      ? [`${plural(made.stale, "error step")} waiting for misstep taxonomy relabel ${made.taxonomyId}`]
      : []),
  ]);
}

const verb = (name: string, description: string) =>
  new Command(name)
    .description(`${description}; makes the next version`)
    .argument("<taxonomy>", "name, name@version or id: the newest version of its name")
    .option("--note <text>", "why")
    .option("--json", "print JSON");

/** "Name: definition" */
function part(text: string): { name: string; definition: string } {
  const at = text.indexOf(":");
  if (at < 1 || text.slice(at + 1).trim() === "") throw new UsageError(`"${text}" is no "name: definition"`);
  return { name: text.slice(0, at).trim(), definition: text.slice(at + 1).trim() };
}

/** The edits, one command each. */
export const editCommands = (): Command[] => [
  verb("rename", "give a type another name")
    .argument("<type>", "slug")
    .argument("<name>", "the new name")
    .action((t: string, type: string, name: string, o: EditOptions) =>
      make(openIndex(), t, { kind: "rename", type, name }, o),
    ),
  verb("redefine", "give a type another definition; its labels wait for a relabel")
    .argument("<type>", "slug")
    .argument("<definition>", "the new definition")
    .option("--not <text...>", "what it is not")
    .action((t: string, type: string, definition: string, o: EditOptions & { not?: string[] }) =>
      make(openIndex(), t, { kind: "redefine", type, definition, excludes: o.not ?? [] }, o),
    ),
  verb("merge", "make one type of several")
    .argument("<types...>", "slugs, two or more")
    .requiredOption("--as <name>", "name of the merged type")
    .option("--definition <text>", "its definition (default: the first one's)")
    .action((t: string, types: string[], o: EditOptions & { as: string; definition?: string }) =>
      make(openIndex(), t, { kind: "merge", types, name: o.as, definition: o.definition }, o),
    ),
  verb("split", "make several types of one; its labels wait for a relabel")
    .argument("<type>", "slug")
    .argument("<parts...>", '"name: definition", two or more')
    .action((t: string, type: string, parts: string[], o: EditOptions) =>
      make(openIndex(), t, { kind: "split", type, into: parts.map(part) }, o),
    ),
  verb("retire", "take a type out of use")
    .argument("<type>", "slug")
    .action((t: string, type: string, o: EditOptions) => make(openIndex(), t, { kind: "retire", type }, o)),
  verb("restore", "take a retired type, or one of the long tail, into use")
    .argument("<type>", "slug")
    .action((t: string, type: string, o: EditOptions) => make(openIndex(), t, { kind: "restore", type }, o)),
  verb("examples", "choose the examples of a type")
    .argument("<type>", "slug")
    .argument("[steps...]", "step ids; none: the shortest are shown")
    .action((t: string, type: string, steps: string[], o: EditOptions) =>
      make(openIndex(), t, { kind: "examples", type, steps: steps.map(parseId) }, o),
    ),
];
