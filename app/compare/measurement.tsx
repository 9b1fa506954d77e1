import { Download, Gauge } from "lucide-react";
import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { FollowJob } from "@/components/jobs/follow";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { hasWindowLabels } from "@/db/queries/behaviorRates";
import { getJobView } from "@/db/queries/jobs";
import { knownOf } from "@/lib/evaluate/behavior/known";
import { neededLabels } from "@/lib/evaluate/behavior/needed";
import { behaviorSummary } from "@/lib/evaluate/behavior/summary";
import { axisEnd, figureMarks, METHOD_NAMES, narrowed, SHOWN_NAMES, tableRows } from "@/lib/evaluate/behavior/view";
import { visible } from "@/lib/text/glyphs";
import { Agreement } from "./agreement";
import { Choices } from "./choices";
import { Differences } from "./differences";
import { PassedFromThere } from "./ends";
import { RateFigure } from "./figure";
import { JudgeForms } from "./judge-forms";
import { ToBeKnown } from "./known";
import { Labels } from "./labels";
import { Learned } from "./learned";
import { JudgesAgainstPeople } from "./people";
import { protocolText } from "./protocol";
import { PublishedRates } from "./published";
import { Reductions } from "./reductions";
import { type MeasureParams, measurementHref } from "./search-params";

/** One measurement: figure, differences, reductions, agreement. */
export function Measurement({ id, params, judges }: { id: number; params: MeasureParams; judges: string[] }) {
  const db = getDb();
  const summary = behaviorSummary(db, id, params.interval);
  const back = (
    <Button asChild>
      <Link href={measurementHref({})}>All measurements</Link>
    </Button>
  );
  if (!summary)
    return (
      <Page title="Compare" actions={back}>
        <StateMessage icon={<Gauge aria-hidden />} title={`There is no measurement ${id}`} actions={back}>
          It may have been made in another home folder.
        </StateMessage>
      </Page>
    );
  const job = summary.jobId === null ? undefined : getJobView(db, summary.jobId);
  const running = job?.status === "queued" || job?.status === "running";
  const labelled = summary.cells.some((c) => c.corrected !== null);
  const shown = labelled ? params.rate : "raw";
  const choice = {
    judges: params.judge ?? [],
    checkpoints: params.checkpoint ?? [],
    misbehaviors: params.misbehavior ?? [],
  };
  const marks = figureMarks(summary, choice, shown);
  const narrow = narrowed(summary, choice);
  return (
    <Page
      title={<span className="foreign">{visible(summary.name)}</span>}
      note={protocolText(summary)}
      actions={
        <div className="flex flex-wrap gap-2 print:hidden">
          {back}
          <Button asChild>
            <Link href={listHref({ measurement: id })} prefetch={false}>
              Read the samples
            </Link>
          </Button>
          <Button asChild variant="primary">
            <a href={`/api/measurements/${id}/bundle?interval=${params.interval}`} download>
              <Download aria-hidden /> Bundle
            </a>
          </Button>
        </div>
      }
    >
      {job ? (
        <FollowJob key={job.id} initial={job} />
      ) : (
        <p className="text-sm text-muted">Its job is no longer kept; what it measured is.</p>
      )}
      <ToBeKnown known={knownOf(summary)} />
      {summary.judges.length === 0 ? (
        <StateMessage icon={<Gauge aria-hidden />} title="No verdict yet">
          {running
            ? "Rates appear here as soon as the first samples are judged."
            : "No sample was judged. The log of the job says why; samples that ended void are in no rate."}
        </StateMessage>
      ) : (
        <>
          <Choices
            judges={summary.judges}
            checkpoints={summary.checkpoints}
            misbehaviors={summary.plan.misbehaviors}
            labelled={labelled}
          />
          {marks.length === 0 ? (
            <StateMessage icon={<Gauge aria-hidden />} title="Nothing is chosen that was measured">
              The address names judges, checkpoints or misbehaviors that are not in this measurement.
            </StateMessage>
          ) : (
            <RateFigure
              id={id}
              title="Misbehavior rates"
              note={`Share of samples in which the misbehavior comes back (${SHOWN_NAMES[shown]}); 95% intervals: ${METHOD_NAMES[summary.method]} over prefixes, seed ${summary.protocol.seed}${running ? "; still running" : ""}.`}
              marks={marks}
              rows={tableRows(summary, marks, shown)}
              end={axisEnd(marks)}
            />
          )}
          {params.paper ? <PublishedRates /> : null}
          <Differences summary={summary} marks={marks} />
          <Reductions summary={narrow} />
          <PassedFromThere summary={narrow} />
          <Agreement summary={summary} />
          <Learned id={id} judges={summary.judges} />
          <Labels summary={summary} needed={neededLabels(db, summary)} />
          <JudgesAgainstPeople db={db} summary={summary} />
          {running ? null : (
            <JudgeForms id={id} judges={judges} said={summary.judges} people={hasWindowLabels(db, id)} />
          )}
        </>
      )}
    </Page>
  );
}
