import { LinesChart } from "@/components/charts/lines";
import type { DiscoveryPoint } from "@/lib/taxonomy/build/discovery";

const percent = (share: number | null) => (share === null ? null : Math.round(1000 * share) / 10);

/** Types found, new patterns and unseen mass over the batches of a build. */
export function Discovery({ points }: { points: DiscoveryPoint[] }) {
  const last = points.at(-1);
  const mass = last?.unseen.mass ?? null;
  return (
    <LinesChart
      title="Discovery curve"
      note={
        last && mass !== null
          ? `After ${points.length} batches: ${last.types} types, of which the next error step would show none with an estimated chance of ${percent(mass)}% (Good–Turing: ${last.unseen.singletons} of ${last.unseen.observations} observations are of a kind seen once; a one-off or new pattern is a kind of its own).`
          : "Good–Turing needs at least one error step in a type."
      }
      name="discovery"
      x={{ key: "batch", label: "Batch" }}
      panels={[
        { title: "Types seen so far", series: [{ key: "types", label: "Types" }], whole: true },
        {
          title: "Percent",
          series: [
            { key: "share", label: "New patterns in the batch (%)" },
            { key: "mass", label: "Unseen mass (%)" },
          ],
        },
      ]}
      rows={points.map((p, i) => ({
        batch: i + 1,
        types: p.types,
        share: percent(p.newShare),
        mass: percent(p.unseen.mass),
      }))}
    />
  );
}
