import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { judgeChoices } from "@/app/profiles/policies";
import { compareHref } from "@/app/train/compare/search-params";
import { loadTrainParams } from "@/app/train/search-params";
import { listHref } from "@/app/trajectories/search-params";
import { FollowJob } from "@/components/jobs/follow";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { getDb } from "@/db/client";
import { getJobView } from "@/db/queries/jobs";
import { readFiles, readProblems } from "@/db/queries/readBack";
import { groupsOfStep, quadrants, rolloutsOfStep, trainingRow, trainingSteps } from "@/db/queries/trainings";
import { formatCount, formatTime, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { type StepMetrics, stepMetrics } from "@/lib/train/run/metrics";
import { trainSettings } from "@/lib/train/settings";
import { Curves } from "./curves";
import { Drift } from "./drift";
import { ExportMenu } from "./export-menu";
import { Groups } from "./groups";
import { Kept } from "./kept";
import { Quadrants } from "./quadrants";
import { ReadBack } from "./read-back";
import { Settings } from "./settings";

export const dynamic = "force-dynamic";

/** Whether its recipe pays by a judge of the window. */
const judgesOfWindows = (settings: unknown): boolean => {
  const parsed = trainSettings.safeParse(settings);
  return parsed.success && "window" in parsed.data.reward;
};

const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

export async function generateMetadata({ params }: PageProps<"/train/[id]">): Promise<Metadata> {
  const row = trainingRow(getDb(), idOf((await params).id));
  return { title: row ? visible(row.name) : "Not found" };
}

/** A curve of fewer steps than this says next to nothing. */
const FEW_STEPS = 10;

export default async function TrainingPage({ params, searchParams }: PageProps<"/train/[id]">) {
  const db = getDb();
  const training = trainingRow(db, idOf((await params).id));
  if (!training) notFound();
  const search = await loadTrainParams(searchParams);
  const job = training.jobId === null ? undefined : getJobView(db, training.jobId);
  const steps = trainingSteps(db, training.id).map((row) => ({ ...row, metrics: stepMetrics.parse(row.metrics) }));
  const chosen = search.step ?? steps.at(-1)?.step ?? null;
  return (
    <Page
      title={<span className="foreign">{visible(training.name)}</span>}
      note={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>recipe {visible(training.recipe)}</span>
          {training.baseId === null ? null : (
            <span>
              from{" "}
              <Link href={`/models/${training.baseId}`} className="foreign text-accent hover:underline">
                {visible(training.base ?? String(training.baseId))}
              </Link>
            </span>
          )}
          <span>seed {formatCount(training.seed)}</span>
          <span>asked for {formatTime(training.createdAt)} UTC</span>
        </span>
      }
      actions={
        <>
          <ExportMenu id={training.id} />
          <Button asChild>
            <Link href={compareHref([training.id])}>Compare</Link>
          </Button>
          <Button asChild variant="primary">
            <Link href={listHref({ training: training.id })}>Read the rollouts</Link>
          </Button>
        </>
      }
    >
      {job ? (
        <FollowJob key={job.id} initial={job} />
      ) : (
        <p className="text-sm text-muted">Its job is no longer kept; what it made is.</p>
      )}
      <ReadBack files={readFiles(db, training.id)} problems={readProblems(db, training.id)} />
      {steps.length === 0 ? (
        <p className="text-sm text-muted">No step yet: the first appears here as soon as its rollouts have ended.</p>
      ) : (
        <>
          {steps.length < FEW_STEPS ? <Few steps={steps} /> : null}
          <Curves id={training.id} steps={steps} chosen={chosen} />
          <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,2fr)_minmax(20rem,1fr)]">
            <Quadrants id={training.id} rows={quadrants(db, training.id)} />
            <div className="flex min-w-0 flex-col gap-3">
              <Kept steps={steps} base={training.base} />
              <Settings settings={training.settings} />
            </div>
          </div>
          {judgesOfWindows(training.settings) ? (
            <Drift trainingId={training.id} judges={judgeChoices().judges} />
          ) : null}
          {chosen === null ? null : (
            <Groups
              id={training.id}
              step={chosen}
              last={steps.at(-1)?.step ?? chosen}
              show={search.groups}
              metrics={steps.find((s) => s.step === chosen)?.metrics ?? null}
              groups={groupsOfStep(db, training.id, chosen)}
              rollouts={rolloutsOfStep(db, training.id, chosen)}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** What a short curve does not show. */
function Few({ steps }: { steps: { metrics: StepMetrics }[] }) {
  const rollouts = steps.reduce((sum, { metrics }) => sum + metrics.rollouts, 0);
  return (
    <p className="text-sm text-muted">
      {plural(steps.length, "step")}, {plural(rollouts, "rollout")}: what these curves do from one step to the next is
      mostly chance. What the training changed, a measurement of its checkpoint says.
    </p>
  );
}
