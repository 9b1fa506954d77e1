import { LinesChart } from "@/components/charts/lines";
import type { CheckpointRate } from "@/db/queries/trend";

/** Error steps of a type per 100 steps, over the models in the order they came into the index. */
export function Trend({ rows }: { rows: CheckpointRate[] }) {
  if (rows.length < 2) return null;
  return (
    <LinesChart
      title="By model and checkpoint"
      note="Error steps of this type per 100 steps of all their trajectories, those from prefixes and those a teacher corrected included, in the order in which models and checkpoints came into the index; the table names them."
      name="trend"
      x={{ key: "place", label: "Model" }}
      panels={[{ title: "Per 100 steps", series: [{ key: "rate", label: "Per 100 steps" }] }]}
      rows={rows.map((r, i) => ({
        place: i + 1,
        rate: r.steps === 0 || r.errorSteps === null ? null : Math.round((10_000 * r.errorSteps) / r.steps) / 100,
      }))}
    />
  );
}
