import { Command } from "commander";
import { lookedAt, typesOf } from "@/db/queries/taxonomies";
import { lineageBetween, operationsOf, taxonomyFlow } from "@/db/queries/taxonomy-flow";
import { getJob } from "@/lib/jobs/queue";
import { enqueueRelabel } from "@/lib/jobs/relabelJob";
import { NameTaken } from "@/lib/taxonomy/build/create";
import { exportTaxonomy, importTaxonomy, NoTaxonomyFile, readTaxonomyFile } from "@/lib/taxonomy/exchange";
import { CannotBeInForce, setInForce } from "@/lib/taxonomy/inForce";
import { RelabelRefused } from "@/lib/taxonomy/relabel";
import { formatCount } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, readGiven } from "@/scripts/cli/output";
import { writeWhole } from "@/scripts/cli/writeFile";
import { annotatorOf, finished } from "./build";
import { label, pickTaxonomy, usable } from "./pick";

/** misstep taxonomy export */
export const exportCommand = (): Command =>
  new Command("export")
    .description("print a version as JSON, or write it to a file")
    .argument("<taxonomy>", "name, name@version or id")
    .option("--output <file>", "write to this file")
    .action((given: string, options: { output?: string }) => {
      const db = openIndex();
      const text = `${JSON.stringify(exportTaxonomy(db, pickTaxonomy(db, given).id), null, 2)}\n`;
      if (options.output === undefined) process.stdout.write(text);
      else writeWhole(callerPath(options.output), [text]);
    });

/** misstep taxonomy import */
export const importCommand = (): Command =>
  new Command("import")
    .description("add an exported taxonomy as the next version of its name; nothing is labelled yet")
    .argument("<file>", "JSON file")
    .option("--name <name>", "under another name")
    .option("--json", "print JSON")
    .action((given: string, options: JsonOption & { name?: string }) => {
      const db = openIndex();
      const text = readGiven(given);
      const made = usable([NoTaxonomyFile, NameTaken], () => {
        const read = readTaxonomyFile(text);
        const name = options.name ?? read.name;
        return { ...importTaxonomy(db, read, { name, actor: "cli" }), name };
      });
      print(
        options,
        made,
        () =>
          `${label(made)} (id ${made.taxonomyId}); label its steps: misstep taxonomy relabel ${made.taxonomyId} --open`,
      );
    });

/** misstep taxonomy relabel */
export const relabelCommand = (): Command =>
  new Command("relabel")
    .description(
      "label again what waits: stale labels, with --open also steps that nobody looked at and those that failed",
    )
    .argument("<taxonomy>", "name, name@version or id: the newest version of its name")
    .option("--annotator <who>", "rules, model (as the settings say), or a model's name", "rules")
    .option("--open", "also steps without an answer")
    .option("--json", "print JSON")
    .action(async (given: string, options: JsonOption & { annotator: string; open?: boolean }) => {
      const db = openIndex();
      const t = pickTaxonomy(db, given);
      const { jobId, steps } = usable([RelabelRefused], () =>
        enqueueRelabel(
          db,
          { taxonomyId: t.id, annotator: annotatorOf(options.annotator), scope: options.open ? "open" : "stale" },
          "cli",
        ),
      );
      await finished(db, jobId);
      const looked = lookedAt(db, t.id);
      const counts: Record<string, number> = JSON.parse(getJob(db, jobId)?.counts ?? "{}");
      const came = (["labelled", "none", "failed", "unparsed"] as const)
        .filter((key) => (counts[key] ?? 0) > 0)
        .map((key) => `${formatCount(counts[key] ?? 0)} ${key}`);
      print(options, { taxonomyId: t.id, jobId, steps, counts, looked }, () => [
        `${label(t)}: ${formatCount(steps)} error steps asked about, job ${jobId}: ${came.join(", ") || "no answer"}; ${formatCount(looked.stale)} wait`,
      ]);
    });

/** misstep taxonomy use */
export const inForceCommand = (): Command =>
  new Command("use")
    .description("put a version in force: pages, lists and draws go by it; default: the newest built-in one")
    .argument("[taxonomy]", "name, name@version or id; none: back to the default")
    .action((given: string | undefined) => {
      const db = openIndex();
      const t = given === undefined ? null : pickTaxonomy(db, given);
      usable([CannotBeInForce], () => setInForce(db, t?.id ?? null, "cli"));
      process.stdout.write(t ? `${label(t)} is in force\n` : "the newest built-in version is in force\n");
    });

/** misstep taxonomy diff */
export const diffCommand = (): Command =>
  new Command("diff")
    .description("show where error steps stand under two versions, and the edits between them")
    .argument("<from>", "name, name@version or id")
    .argument("<to>", "name, name@version or id")
    .option("--json", "print JSON")
    .action((from: string, to: string, options: JsonOption) => {
      const db = openIndex();
      const [a, b] = [pickTaxonomy(db, from), pickTaxonomy(db, to)];
      const flow = taxonomyFlow(db, a.id, b.id);
      const operations = operationsOf(db, b.id, a.id);
      const names = new Map([...typesOf(db, a.id), ...typesOf(db, b.id)].map((t) => [t.id, t.name]));
      const name = (id: number) => names.get(id) ?? (id === 0 ? "no misbehavior" : "not looked at");
      const lineage = Object.fromEntries(lineageBetween(db, b.id, a.id));
      print(options, { from: a, to: b, flow, operations, lineage, stale: lookedAt(db, b.id).stale }, () => [
        `${label(a)} -> ${label(b)}; a step counts once, at the first of its misbehaviors`,
        ...flow.map((f) => `  ${formatCount(f.steps).padStart(8)}  ${name(f.from)} -> ${name(f.to)}`),
        ...operations.map((o) => `  version ${o.version}: ${o.kind} ${o.details} (${o.actor})`),
        `${formatCount(lookedAt(db, b.id).stale)} error steps wait for a relabel`,
      ]);
    });
