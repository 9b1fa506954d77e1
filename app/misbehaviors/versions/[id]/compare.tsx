import { FlowChart } from "@/components/charts/flow";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { type TaxonomyRow, typesOf } from "@/db/queries/taxonomies";
import { lineageBetween, NO_TYPE, taxonomyFlow } from "@/db/queries/taxonomy-flow";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { CompareSwitch } from "./compare-switch";

const label = (t: TaxonomyRow) => `${visible(t.name)} ${t.version}`;
const signed = (n: number) => (n > 0 ? `+${formatCount(n)}` : n < 0 ? `−${formatCount(-n)}` : "0");

/** Where error steps stand under another version and under this one, and how each type changed. */
export function Compare({
  db,
  shown,
  against,
  others,
}: {
  db: Db;
  shown: TaxonomyRow;
  against: TaxonomyRow | undefined;
  others: TaxonomyRow[];
}) {
  return (
    <section aria-label="Compared with another version" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-medium">Compared with</h2>
        <CompareSwitch
          base={`/misbehaviors/versions/${shown.id}`}
          value={against?.id ?? null}
          choices={others.map((o) => ({ id: o.id, label: label(o) }))}
        />
      </div>
      {against ? <Difference db={db} shown={shown} against={against} /> : null}
    </section>
  );
}

function Difference({ db, shown, against }: { db: Db; shown: TaxonomyRow; against: TaxonomyRow }) {
  const before = typesOf(db, against.id);
  const now = typesOf(db, shown.id);
  const names = new Map([...before, ...now].map((t) => [t.id, visible(t.name)]));
  const name = (id: number) => names.get(id) ?? (id === NO_TYPE ? "no misbehavior" : "not looked at");
  const flow = taxonomyFlow(db, against.id, shown.id);
  const lineage = lineageBetween(db, shown.id, against.id);
  const steps = new Map(before.map((t) => [t.id, t.errorSteps]));
  const [old, own] = [misbehaviorOverview(db, against.id), misbehaviorOverview(db, shown.id)];
  return (
    <>
      {flow.length > 0 ? (
        <FlowChart
          title="Flow of error steps"
          note="A step stands at the first of its misbehaviors in the version's order, so each counts once and the amounts add up to the labelled steps. Steps without a misbehavior under both are left out."
          name={`flow-${against.id}-${shown.id}`}
          from={label(against)}
          to={label(shown)}
          unit="Error steps"
          flows={flow.map((f) => ({ from: name(f.from), to: name(f.to), amount: f.steps }))}
        />
      ) : (
        <p className="text-sm text-muted">No error step has a misbehavior under either version.</p>
      )}
      <TableFrame label="Types under both versions">
        <thead>
          <tr>
            <Th>Type of {label(shown)}</Th>
            <Th>From</Th>
            <Th className="text-right">{label(against)}</Th>
            <Th className="text-right">{label(shown)}</Th>
            <Th className="text-right">Difference</Th>
          </tr>
        </thead>
        <tbody>
          {now
            .filter((t) => t.named === 1 || t.errorSteps > 0)
            .map((t) => {
              const sources = lineage.get(t.id) ?? [];
              const was = sources.length === 1 ? (steps.get(sources[0] ?? 0) ?? null) : null;
              return (
                <tr key={t.id} className="hover:bg-raised/60">
                  <Td className="foreign min-w-44">{visible(t.name)}</Td>
                  <Td className="foreign min-w-44 text-muted">
                    {sources.length > 0 ? sources.map(name).join(", ") : "—"}
                  </Td>
                  <Td className="text-right">
                    {sources.length > 1
                      ? sources.map((id) => formatCount(steps.get(id) ?? 0)).join(" + ")
                      : was === null
                        ? "—"
                        : formatCount(was)}
                  </Td>
                  <Td className="text-right">{formatCount(t.errorSteps)}</Td>
                  <Td className="text-right">{was === null ? "—" : signed(t.errorSteps - was)}</Td>
                </tr>
              );
            })}
          <tr className="bg-raised/50">
            <Td>At least one misbehavior</Td>
            <Td />
            <Td className="text-right">{formatCount(old.named.errorSteps)}</Td>
            <Td className="text-right">{formatCount(own.named.errorSteps)}</Td>
            <Td className="text-right">{signed(own.named.errorSteps - old.named.errorSteps)}</Td>
          </tr>
        </tbody>
      </TableFrame>
    </>
  );
}
