import Link from "next/link";
import { UnaidedNote } from "@/app/models/unaided-note";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import type { MisbehaviorOverview, ModelCorpus, ModelTypeRow } from "@/db/queries/misbehaviors";
import { underTaxonomy } from "@/db/queries/trajectory-filters";
import { hasAided } from "@/db/queries/unaided";
import { ALL_ERRORS, scopesOf } from "@/db/schema/errors";
import { formatCount, formatRate, formatShare, plural, UNKNOWN } from "@/lib/text/format";
import { statedName } from "@/lib/text/glyphs";

const key = (model: string | null) => model ?? "\0none";

/** Error steps per 100 steps of unaided rollouts, by model and misbehavior; each cell leads to its rows. */
export function ByModel({
  db,
  overview,
  counts,
  corpus,
  taxonomyId,
  linked,
}: {
  db: Db;
  overview: MisbehaviorOverview;
  counts: ModelTypeRow[];
  corpus: ModelCorpus[];
  taxonomyId: number;
  /** Id that links name; null: the version in force. */
  linked: number | null;
}) {
  const cells = new Map(counts.map((c) => [`${key(c.model)}/${c.scope}`, c]));
  const pseudo = scopesOf(taxonomyId);
  const shown = corpus.filter((m) => m.unaided.trajectories > 0);
  const columns = [
    { scope: ALL_ERRORS, slug: "any", name: "All error steps" },
    ...overview.rows.map((m) => ({ scope: m.id, slug: m.slug, name: m.name })),
    { scope: pseudo.unlabelled, slug: "unlabelled", name: "Unlabelled" },
  ];
  return (
    <section id="by-model" className="flex flex-col gap-2">
      <h2 className="font-medium">
        By model{" "}
        <span className="text-sm font-normal text-muted">
          error steps per 100 steps; each cell opens the trajectories with them
        </span>
      </h2>
      <UnaidedNote db={db} what="Everything in this table is" />
      <TableFrame label="Error steps by model">
        <thead>
          <tr>
            <Th className="align-bottom">Model</Th>
            <Th className="text-right align-bottom">{hasAided(db) ? "Unaided" : "Trajectories"}</Th>
            <Th className="text-right align-bottom">Passed</Th>
            {columns.map((c) => (
              <Th key={c.slug} className="max-w-32 min-w-20 py-1 text-right align-bottom whitespace-normal">
                {c.name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ model: name, unaided: m }) => {
            const judged = m.trajectories - m.unknown;
            const model = filterOn(name);
            const of = (scope: number) => cells.get(`${key(name)}/${scope}`);
            const all = of(ALL_ERRORS)?.errorSteps ?? 0;
            const looked = (of(pseudo.named)?.errorSteps ?? 0) + (of(pseudo.unlabelled)?.errorSteps ?? 0);
            return (
              <tr key={key(name)} className="hover:bg-raised/60">
                <Td className="foreign min-w-32">
                  {name === null ? <span className="text-muted">not stated</span> : statedName(name)}
                </Td>
                <Td className="text-right">
                  <Link
                    href={listHref({ model, unaided: true })}
                    prefetch={false}
                    className="text-accent hover:underline"
                  >
                    {formatCount(m.trajectories)}
                  </Link>
                </Td>
                <Td
                  className="text-right"
                  title={`${m.passed} of ${judged} with a known outcome; ${m.unknown} unknown`}
                >
                  {judged === 0 ? (
                    <span className="text-muted">{UNKNOWN}</span>
                  ) : (
                    <Link
                      href={listHref({ model, unaided: true, outcome: ["passed"] })}
                      prefetch={false}
                      className="text-accent hover:underline"
                    >
                      {formatShare(m.passed, judged)}
                    </Link>
                  )}
                </Td>
                {columns.map((c) => (
                  <Rate
                    key={c.slug}
                    cell={of(c.scope)}
                    looked={c.scope === ALL_ERRORS ? null : { steps: looked, all }}
                    steps={m.steps}
                    href={listHref({
                      misbehavior: c.slug === "any" ? "any" : underTaxonomy(c.slug, linked),
                      model,
                      unaided: true,
                    })}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
      {shown.length < corpus.length ? (
        <p className="text-sm text-muted">
          {plural(corpus.length - shown.length, "model")} without an unaided rollout{" "}
          {corpus.length - shown.length === 1 ? "is" : "are"} left out;{" "}
          <Link href="/models" className="text-accent underline">
            Models
          </Link>{" "}
          has all of them.
        </p>
      ) : null}
    </section>
  );
}

function Rate({
  cell,
  looked,
  steps,
  href,
}: {
  cell: ModelTypeRow | undefined;
  /** Of the model's error steps, those that were looked at under the version; null where that does not matter. */
  looked: { steps: number; all: number } | null;
  steps: number;
  href: string;
}) {
  const partly =
    looked && looked.steps < looked.all
      ? `${formatCount(looked.steps)} of ${plural(looked.all, "error step")} looked at under this version`
      : undefined;
  if (!cell)
    return (
      <Td className="text-right text-muted" title={partly}>
        {partly && looked?.steps === 0 ? UNKNOWN : formatRate(0, steps)}
      </Td>
    );
  return (
    <Td className="text-right">
      <Link
        href={href}
        prefetch={false}
        className="text-accent hover:underline"
        title={`${plural(cell.errorSteps, "error step")} of ${plural(steps, "step")}, in ${plural(cell.trajectories, "trajectory", "trajectories")}${partly ? `; ${partly}` : ""}`}
      >
        {formatRate(cell.errorSteps, steps)}
      </Link>
    </Td>
  );
}
