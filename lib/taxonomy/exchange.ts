import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { getTaxonomy, typesOf } from "@/db/queries/taxonomies";
import { operationsOf } from "@/db/queries/taxonomy-flow";
import { statement } from "@/db/statement";
import { MISBEHAVIOR_SLUGS } from "@/lib/profile/misbehaviors";
import { checkName, nextVersion } from "./build/create";
import { countTaxonomy } from "./count";
import { plainName } from "./edit/operations";
import { slugFor } from "./slug";

const text = (most: number) => z.string().trim().min(1).max(most);

/** A taxonomy as a file: its types in order, how it came about. No labels: these belong to an index. */
export const taxonomyFile = z.object({
  misstep: z.literal("taxonomy"),
  format: z.literal(1),
  name: text(80),
  version: z.number().int().positive(),
  origin: z.string().max(40),
  note: z.string().max(10_000).nullable().default(null),
  author: z.string().max(200).nullable().default(null),
  exportedAt: z.string().max(40).optional(),
  params: z.record(z.string(), z.json()).default({}),
  types: z
    .array(
      z.object({
        slug: text(200),
        name: text(200),
        definition: text(10_000),
        excludes: z.array(text(2000)).max(50).default([]),
        example: z.string().max(10_000).nullable().default(null),
        looksFor: z.string().max(10_000).nullable().default(null),
        status: z.enum(["kept", "tail", "retired"]).default("kept"),
        detectors: z.array(z.enum(MISBEHAVIOR_SLUGS)).default([]),
        /** Active error steps when it was exported: for readers, not read again. */
        errorSteps: z.number().int().min(0).optional(),
      }),
    )
    .min(1, "a taxonomy without types says nothing")
    .max(2000)
    .superRefine((types, context) => {
      const seen = { slug: new Set<string>(), name: new Set<string>() };
      types.forEach((t, i) => {
        const name = plainName(t.name);
        if (seen.slug.has(t.slug))
          context.addIssue({ code: "custom", path: [i, "slug"], message: `"${t.slug}" comes twice` });
        if (t.status !== "retired" && seen.name.has(name))
          context.addIssue({ code: "custom", path: [i, "name"], message: `"${t.name}" comes twice` });
        seen.slug.add(t.slug);
        if (t.status !== "retired") seen.name.add(name);
      });
    }),
  /** Edits of its line, oldest first. */
  operations: z
    .array(z.object({ version: z.number(), kind: z.string(), details: z.json(), actor: z.string(), at: z.string() }))
    .default([]),
});
export type TaxonomyFile = z.infer<typeof taxonomyFile>;

/** A file that is no taxonomy, with the place of the first fault. */
export class NoTaxonomyFile extends Error {}

/** A version as a file; undefined when there is none of this id. */
export function exportTaxonomy(db: Db, taxonomyId: number): TaxonomyFile | undefined {
  const row = getTaxonomy(db, taxonomyId);
  if (!row) return undefined;
  return {
    misstep: "taxonomy",
    format: 1,
    name: row.name,
    version: row.version,
    origin: row.origin,
    note: row.note,
    author: row.author,
    exportedAt: new Date().toISOString(),
    params: JSON.parse(row.params),
    types: typesOf(db, taxonomyId)
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ slug, name, definition, excludes, example, looksFor, status, detectors, errorSteps }) => ({
        slug,
        name,
        definition,
        excludes,
        example,
        looksFor,
        status: status as "kept" | "tail" | "retired",
        detectors: detectors as TaxonomyFile["types"][number]["detectors"],
        errorSteps,
      })),
    operations: operationsOf(db, taxonomyId, null).map((o) => ({
      version: o.version,
      kind: o.kind,
      details: JSON.parse(o.details),
      actor: o.actor,
      at: new Date(o.createdAt).toISOString(),
    })),
  };
}

/** The text of a file read and checked. Throws NoTaxonomyFile. */
export function readTaxonomyFile(given: string): TaxonomyFile {
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch (error) {
    throw new NoTaxonomyFile(`the file is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = taxonomyFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new NoTaxonomyFile(
    `the file is no taxonomy: ${issue?.path.join(".") || "at the top"}: ${issue?.message ?? "it does not parse"}`,
  );
}

/**
 * Adds a file as the next version of its name (or of `name`), in one transaction. Nothing is labelled: steps count as not
 * looked at until a job labels them; findings of the rules label the types that have detectors from now on. Throws
 * NoTaxonomyFile and NameTaken with nothing written.
 */
export function importTaxonomy(
  db: Db,
  file: TaxonomyFile,
  { name = file.name, actor }: { name?: string; actor: string },
): { taxonomyId: number; version: number } {
  const checked = taxonomyFile.safeParse(file);
  if (!checked.success) throw new NoTaxonomyFile("the file is no taxonomy");
  return db.$client
    .transaction(() => {
      checkName(db, name);
      const version = nextVersion(db, name);
      const note = `imported: ${file.name} ${file.version}${file.note ? ` – ${file.note}` : ""}`;
      const id = Number(
        statement(
          db,
          "insert into taxonomy (name, version, origin, note, params, author) values (?, ?, 'edited', ?, ?, ?)",
        ).run(name, version, note, JSON.stringify({ coverage: "assigned" }), actor).lastInsertRowid,
      );
      const taken = new Set<string>();
      const insert = statement(
        db,
        `insert into error_type (taxonomy_id, slug, name, definition, excludes, example, looks_for, named, rank, detectors, status)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      file.types.forEach((t, i) => {
        const slug = slugFor(t.slug, taken);
        taken.add(slug);
        insert.run(
          id,
          slug,
          t.name,
          t.definition,
          JSON.stringify(t.excludes),
          t.example,
          t.looksFor,
          t.status === "kept" ? 1 : 0,
          i + 1,
          JSON.stringify(t.detectors),
          t.status,
        );
      });
      const details = {
        name: file.name,
        version: file.version,
        types: file.types.length,
        exportedAt: file.exportedAt ?? null,
      };
      statement(
        db,
        "insert into taxonomy_operation (taxonomy_id, kind, details, actor) values (?, 'import', ?, ?)",
      ).run(id, JSON.stringify(details), actor);
      statement(db, "insert into audit (actor, verb, subject, details) values (?, 'import', ?, ?)").run(
        actor,
        `taxonomy:${id}`,
        JSON.stringify({ ...details, as: `${name}@${version}` }),
      );
      countTaxonomy(db, id);
      return { taxonomyId: id, version };
    })
    .immediate();
}
