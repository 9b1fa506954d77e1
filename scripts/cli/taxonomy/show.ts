import { Command } from "commander";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { listTaxonomies, lookedAt, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";
import { storedBatches } from "@/lib/taxonomy/batches";
import { discoveryCurve } from "@/lib/taxonomy/build/discovery";
import { replay } from "@/lib/taxonomy/build/replay";
import { formatCount, formatShare } from "@/lib/text/format";
import { type JsonOption, openIndex, print } from "@/scripts/cli/output";
import { label, pickTaxonomy } from "./pick";

/** misstep taxonomy list */
export const listCommand = (): Command =>
  new Command("list")
    .description("list the taxonomies and their versions")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const db = openIndex();
      const rows = listTaxonomies(db, { datasets: true });
      const inForce = taxonomyInForce(db);
      print(
        options,
        rows.map((row) => ({ ...row, params: JSON.parse(row.params), inForce: row.id === inForce })),
        () =>
          rows.map((t) =>
            [
              String(t.id).padStart(4),
              label(t).padEnd(24),
              t.origin.padEnd(10),
              t.status.padEnd(9),
              `${typesOf(db, t.id).length} types`.padEnd(10),
              t.id === inForce ? "in force" : "",
            ]
              .join("  ")
              .trimEnd(),
          ),
      );
    });

/** misstep taxonomy show */
export const showCommand = (): Command =>
  new Command("show")
    .description("print the types of a version with their counts")
    .argument("<taxonomy>", "name, name@version or id")
    .option("--json", "print JSON")
    .action((given: string, options: JsonOption) => {
      const db = openIndex();
      const t = pickTaxonomy(db, given);
      const types = typesOf(db, t.id);
      const overview = misbehaviorOverview(db, t.id);
      const looked = lookedAt(db, t.id);
      const curve = discoveryCurve(replay(storedBatches(db, t.id)).sightings);
      const last = curve.at(-1);
      const value = {
        ...t,
        params: JSON.parse(t.params),
        types,
        looked,
        counts: { all: overview.all, named: overview.named, unlabelled: overview.unlabelled, unseen: overview.unseen },
        discovery: curve,
      };
      print(options, value, () => [
        `${label(t)} (id ${t.id}, ${t.origin}, ${t.status}${t.author ? `, by ${t.author}` : ""})`,
        `at least one misbehavior: ${formatCount(overview.named.errorSteps)} of ${formatCount(overview.all.errorSteps)} error steps (${formatShare(overview.named.errorSteps, overview.all.errorSteps)}); none ${formatCount(overview.unlabelled.errorSteps)}; not looked at or no answer ${formatCount(overview.unseen)}`,
        ...(looked.stale > 0 ? [`waiting for a relabel: ${formatCount(looked.stale)}`] : []),
        ...types.map(
          (type) =>
            `  ${type.status.padEnd(8)} ${type.slug.padEnd(32)} ${formatCount(type.errorSteps).padStart(8)} ${formatShare(type.errorSteps, overview.all.errorSteps).padStart(7)}  ${type.name}`,
        ),
        ...(last
          ? [
              `discovery: ${last.types} types after ${curve.length} batches and ${formatCount(last.steps)} error steps; unseen mass ${last.unseen.mass === null ? "not known" : last.unseen.mass.toFixed(3)} (${last.unseen.singletons} seen once of ${last.unseen.observations}, Good–Turing)`,
            ]
          : []),
      ]);
    });
