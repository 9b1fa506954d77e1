import { PublishedRates } from "@/app/compare/published";
import { CurvesChart } from "@/components/charts/curves";
import { publishedNote } from "@/components/charts/distribution-rows";
import { type EstimateBar, EstimateBars } from "@/components/charts/estimates";
import { PaperNotes } from "@/components/data/paper-notes";
import { type Benchmark, benchmarkName, PAPER, PAPER_NAME } from "@/lib/evaluate/paper/published";
import { paperBars, paperPass, paperScaling, paperSeeds, paperSubsets } from "./own";

/** Table 2: one share of each misbehavior, and of at least one. */
const shareBars = (key: "share_of_error_steps" | "share_of_environments"): EstimateBar[] =>
  [
    ...PAPER.misbehaviors.rows.map((r) => ({ name: r.id, value: r[key], href: `/misbehaviors/${r.id}` })),
    { name: "at least one of these", value: PAPER.misbehaviors.together[key], href: null },
  ].map((r) => ({ ...r, low: null, high: null, says: `${r.value}%, published; ${publishedNote}`, published: true }));

/** Everything of the paper that is about rates and scores, drawn as one's own is; each note beside what it is about. */
export function PaperFigures({ benchmark }: { benchmark: Benchmark }) {
  const on = benchmarkName(benchmark);
  return (
    <section aria-labelledby="published" className="flex flex-col gap-3">
      <h2 id="published" className="text-base font-semibold">
        Published: {PAPER_NAME}
      </h2>
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        <EstimateBars
          title={`Figure 5, ${on} (published)`}
          name="paper-figure-5"
          of="Model"
          whisker="± 1 SE over 3 runs"
          note={<PaperNotes places={["scores"]} />}
          bars={paperBars("main_results", benchmark)}
        />
        <EstimateBars
          title={`Figure 6, ${on} (published)`}
          name="paper-figure-6"
          of="Model"
          whisker="± 1 SE over 3 runs"
          note="What each part adds: environments from the profile, starts at prefixes, the behavior reward."
          bars={paperBars("ablation", benchmark)}
        />
        <div className="min-w-0 xl:col-span-2">
          <PublishedRates />
        </div>
        <CurvesChart
          title="Figure 8a, Terminal-Bench 2.1 (published)"
          name="paper-figure-8a"
          xLabel="k"
          yLabel="pass@k (%)"
          note={
            <>
              Only pass@16 is printed. Figure 8b: {PAPER.pass_at_k.figure_8b.solved_at_least_once} of{" "}
              {PAPER.pass_at_k.figure_8b.tasks} tasks solved at least once, {PAPER.pass_at_k.figure_8b.never_solved}{" "}
              never. <PaperNotes places={["passAtK"]} />
            </>
          }
          curves={paperPass()}
        />
        <CurvesChart
          title="Figure 11 (published)"
          name="paper-figure-11"
          xLabel="environments"
          yLabel="score (%)"
          log
          note="Whiskers: ± 1 SE over 3 runs."
          curves={paperScaling()}
        />
        <CurvesChart
          title="Figure 12a, Terminal-Bench 2.1 (published)"
          name="paper-figure-12a"
          xLabel="runs"
          yLabel="mean SE (points)"
          log
          note={<PaperNotes places={["seeds"]} />}
          curves={paperSubsets()}
        />
        <EstimateBars
          title="Figure 12b, Terminal-Bench 2.1 (published)"
          name="paper-figure-12b"
          of="Model and runs"
          whisker="± 1 SE over runs"
          bars={paperSeeds()}
        />
        <EstimateBars
          title="Table 2: share of error steps (published)"
          name="paper-table-2-steps"
          of="Misbehavior"
          whisker="none printed"
          bars={shareBars("share_of_error_steps")}
        />
        <EstimateBars
          title="Table 2: share of environments (published)"
          name="paper-table-2-environments"
          of="Misbehavior"
          whisker="none printed"
          bars={shareBars("share_of_environments")}
        />
      </div>
      <div className="text-sm text-muted">
        <PaperNotes places={["method", "resources", "cost", "versions"]} heading="Notes on the rest of the paper" />
      </div>
    </section>
  );
}
