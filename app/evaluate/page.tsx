import { ChartColumn } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { Suspense } from "react";
import { CurvesChart } from "@/components/charts/curves";
import { EstimateBars } from "@/components/charts/estimates";
import { TaskStrip } from "@/components/charts/strip";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { scoreSets } from "@/db/queries/taskScores";
import { BENCHMARKS, benchmarkName } from "@/lib/evaluate/paper/published";
import { scoreReport } from "@/lib/evaluate/scores/report";
import { ERROR_QUESTIONS } from "@/lib/evaluate/scores/summary";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { Choices } from "./choices";
import {
  differenceBars,
  meanBars,
  ownScaling,
  paperBars,
  paperPass,
  paperSubsets,
  passCurves,
  seedCurves,
  strip,
  subsetCurves,
} from "./own";
import { PaperFigures } from "./paper-figures";
import { loadEvaluateParams } from "./search-params";
import { Shares } from "./shares";

export const metadata: Metadata = { title: "Evaluate" };
export const dynamic = "force-dynamic";

const setName = (s: { source: string; dataset: string; tasks: number; checkpoints: number }) =>
  `${visible(s.dataset || "no data set named")}, ${s.source === "trajectories" ? "imported trajectories" : "evaluations"} (${plural(s.tasks, "task")}, ${plural(s.checkpoints, "model")})`;

export default async function EvaluatePage({ searchParams }: PageProps<"/evaluate">) {
  const { set, model, metric, k, runs, voids, paper } = await loadEvaluateParams(searchParams);
  const db = getDb();
  const models = model && model.length > 0 ? model : null;
  const positive = (n: number | null) => (n !== null && n > 0 ? n : null);
  const report = scoreReport(db, { set, models, metric, k: positive(k), runs: positive(runs), voids });
  const sets = report?.sets ?? scoreSets(db);
  const choices = (
    <Choices
      sets={sets.map((s) => ({ key: s.key, label: setName(s) }))}
      set={report?.set.key ?? null}
      everyone={report?.everyone ?? []}
      k={report?.k ?? 1}
      most={report?.mostAttempts ?? 1}
      benchmarks={BENCHMARKS.map((b) => ({ value: b, label: benchmarkName(b) }))}
    />
  );
  if (!report)
    return (
      <Page title="Evaluate" note="Benchmark scores with their errors">
        {choices}
        <StateMessage
          icon={<ChartColumn aria-hidden />}
          title={set === null ? "No rollout has a score yet" : "No set of scores has this name"}
          actions={
            <>
              {set === null ? null : (
                <Button asChild size="sm">
                  <Link href="/evaluate">Show the largest set</Link>
                </Button>
              )}
              <Button asChild size="sm">
                <Link href="/import">Import a Harbor job</Link>
              </Button>
            </>
          }
        >
          Scores come from imported trajectories that state a reward, from <code>misstep evaluate</code>, and from{" "}
          <code>misstep scores import</code>. What the paper published is below.
        </StateMessage>
        <PaperFigures benchmark={paper ?? "tb_lite"} />
      </Page>
    );
  const columns = strip(report);
  const left = report.scores.filter((s) => s.passLeft > 0);
  const why = report.scores.filter((s) => s.runsWhy !== null);
  const subsets = subsetCurves(report);
  const seeds = seedCurves(report);
  const scaling = ownScaling(report);
  const beside = paper !== null;
  const voidCount = report.scores.reduce((sum, s) => sum + s.void, 0);
  return (
    <Page
      title="Evaluate"
      note={setName(report.set)}
      actions={
        <Button asChild size="sm">
          <Link href="/evaluate/selection">Choose a checkpoint</Link>
        </Button>
      }
    >
      {choices}
      {report.missing.length > 0 ? (
        <p className="text-sm text-warn">
          Not in this set: <span className="foreign">{report.missing.map(visible).join(", ")}</span>.
        </p>
      ) : null}
      {voidCount > 0 ? (
        <p className="text-sm text-muted">
          {plural(voidCount, "rollout")} without a reward{" "}
          {voids === "zero" ? "counted as 0, as some published numbers do" : "kept apart: void, in no score"}:{" "}
          {report.scores
            .filter((s) => s.void > 0)
            .map((s) => `${visible(s.checkpoint)} ${s.void}`)
            .join(", ")}
          .
        </p>
      ) : null}
      <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
        <EstimateBars
          title="Mean scores"
          name="scores-runs"
          of="Model"
          whisker="± 1 SE over runs"
          note={
            <>
              {ERROR_QUESTIONS.runs}. {ERROR_QUESTIONS.training}.
              {why.length === 0
                ? null
                : ` No SE over runs: ${why.map((s) => `${visible(s.checkpoint)}, ${s.runsWhy}`).join("; ")}.`}
            </>
          }
          bars={[...meanBars(report, "runs"), ...(beside ? paperBars("main_results", paper) : [])]}
        />
        <EstimateBars
          title="Mean scores, tasks drawn from many"
          name="scores-tasks"
          of="Model"
          whisker="± 1 SE over tasks"
          note={`${ERROR_QUESTIONS.tasks}. The paper prints only the other one.`}
          bars={meanBars(report, "tasks")}
        />
        <CurvesChart
          title="pass@k"
          name="pass-at-k"
          xLabel="k"
          yLabel="pass@k (%)"
          note={
            left.length === 0
              ? `Unbiased, over every task; never beyond the rollouts of a task.`
              : `Unbiased, over tasks with at least ${plural(report.k, "rollout")}: ${report.scores.map((s) => `${visible(s.checkpoint)} ${s.passTasks} of ${s.tasks}`).join(", ")}. Models may differ in those tasks.`
          }
          curves={[...passCurves(report), ...(beside ? paperPass() : [])]}
        />
        {report.differences.length > 0 ? (
          <EstimateBars
            title="Difference by task"
            name="differences"
            of="Comparison"
            unit="points"
            whisker="95% interval over tasks (studentized bootstrap)"
            note="Paired: only tasks that both tried. p: permutation of the two models within tasks, not adjusted for several comparisons."
            bars={differenceBars(report)}
          />
        ) : null}
        <div className="min-w-0 xl:col-span-2">
          <TaskStrip
            title="Tasks"
            name="tasks"
            note={`${plural(columns.tasks.length, "task")}, from the most solved to the least; ${columns.once} solved at least once by one of these models.`}
            tasks={columns.tasks}
            rows={columns.rows}
          />
        </div>
        {subsets.length > 0 || beside ? (
          <CurvesChart
            title="Mean SE over subsets of k runs"
            name="subset-errors"
            xLabel="runs"
            yLabel="mean SE (points)"
            log
            note="Every subset of k runs is looked at. Small k lie below the 1/√k line: the SE of few runs is biased low."
            curves={[...subsets, ...(beside ? paperSubsets() : [])]}
          />
        ) : null}
        {seeds.length > 0 ? (
          <CurvesChart
            title="Scores of single runs"
            name="runs"
            xLabel="runs, from the lowest"
            yLabel="score (%)"
            note="How far single runs of one checkpoint lie apart; one checkpoint, trained once."
            curves={seeds}
          />
        ) : null}
        {scaling.length > 0 ? (
          <CurvesChart
            title="Score over environments trained in"
            name="scaling"
            xLabel="environments"
            yLabel="score (%)"
            log
            note="Whiskers: SE over tasks. Each size was trained once."
            curves={scaling}
          />
        ) : null}
        {report.set.source === "trajectories" ? (
          <Suspense
            fallback={<p className="min-h-44 text-sm text-muted">Working out the shares of the misbehaviors…</p>}
          >
            <Shares report={report} />
          </Suspense>
        ) : null}
      </div>
      {beside ? <PaperFigures benchmark={paper} /> : null}
    </Page>
  );
}
