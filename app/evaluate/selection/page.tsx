import { ListChecks } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { EstimateBars } from "@/components/charts/estimates";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { listTrainings, trainingRow } from "@/db/queries/trainings";
import { formatMeanReward, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { SELECTION } from "@/lib/train/select";
import { type Candidate, candidatesOf } from "./candidates";
import { RunButton } from "./run-button";
import { loadSelectionParams, selectionHref } from "./search-params";

export const metadata: Metadata = { title: "Choose a checkpoint" };
export const dynamic = "force-dynamic";

const within = (n: number, least: number, most: number) => Math.min(most, Math.max(least, n));
const percent = (x: number) => (100 * x).toFixed(1);
const range = ({ low, high }: { low: number; high: number }) => `${percent(low)} to ${percent(high)}`;

const state = (c: Candidate): string =>
  c.run === null ? "not run there" : c.run.jobStatus === "done" ? "run" : (c.run.jobStatus ?? "its job is gone");

export default async function SelectionPage({ searchParams }: PageProps<"/evaluate/selection">) {
  const { run, window: askedWindow, environments: asked } = await loadSelectionParams(searchParams);
  const db = getDb();
  const [window, environments] = [within(askedWindow, 1, 1000), within(asked, 2, 10_000)];
  const training = run === null ? undefined : trainingRow(db, run);
  if (!training) {
    const trainings = listTrainings(db, { limit: 50 });
    return (
      <Page title="Choose a checkpoint" term="checkpoint" note="Of which training?">
        {run === null ? null : <p className="text-sm text-warn">There is no training {run}.</p>}
        {trainings.length === 0 ? (
          <StateMessage
            icon={<ListChecks aria-hidden />}
            title="No training yet"
            actions={
              <Button asChild size="sm">
                <Link href="/train">Start one</Link>
              </Button>
            }
          >
            Its checkpoints with the highest moving average of the training reward are compared here.
          </StateMessage>
        ) : (
          <ul className="flex flex-col gap-1">
            {trainings.map((t) => (
              <li key={t.id}>
                <Link href={selectionHref(t.id)} prefetch={false} className="foreign text-accent hover:underline">
                  {visible(t.name)}
                </Link>{" "}
                <span className="text-sm text-muted">
                  {t.recipe}, {plural(t.steps, "step")}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Page>
    );
  }
  const candidates = candidatesOf(db, training.id, window, environments);
  const best = candidates
    .filter((c) => c.run?.jobStatus === "done" && c.rate?.value != null)
    .sort((a, b) => (b.rate?.value ?? 0) - (a.rate?.value ?? 0) || a.step - b.step)[0];
  const field = "w-24 rounded-md border bg-surface px-2 py-1 text-text";
  return (
    <Page
      title="Choose a checkpoint"
      term="checkpoint"
      note={<span className="foreign">{visible(training.name)}</span>}
      actions={
        <Button asChild size="sm">
          <Link href={`/train/${training.id}`}>The training</Link>
        </Button>
      }
    >
      <form className="flex flex-wrap items-end gap-3 text-sm text-muted print:hidden">
        <input type="hidden" name="run" value={training.id} />
        <label className="flex flex-col gap-1">
          Steps of the moving average
          <input className={field} type="number" name="window" min={1} max={1000} defaultValue={window} />
        </label>
        <label className="flex flex-col gap-1">
          Held-out environments
          <input className={field} type="number" name="environments" min={2} max={10000} defaultValue={environments} />
        </label>
        <Button type="submit" size="sm">
          Apply
        </Button>
      </form>
      <p className="rounded-md border border-warn px-3 py-2 text-sm">
        The score here of the checkpoint that is chosen is optimistic: it is the highest of up to {SELECTION.candidates}{" "}
        on this very set. Report its score on other environments. The paper chooses on Terminal-Bench Lite, and not on
        Terminal-Bench 2.1; its window is not printed.
      </p>
      {candidates.length === 0 ? (
        <StateMessage icon={<ListChecks aria-hidden />} title="No candidate yet">
          No checkpoint was kept after a step with a reward.
        </StateMessage>
      ) : (
        <>
          <TableFrame label="Candidates">
            <thead>
              <tr>
                <Th>Checkpoint</Th>
                <Th className="text-right">Step</Th>
                <Th className="text-right" title={`mean training reward of the last ${window} steps`}>
                  Moving average
                </Th>
                <Th>On the selection set</Th>
                <Th className="text-right">Solved (%)</Th>
                <Th className="text-right">95% interval</Th>
                <Th className="text-right">Solved of rollouts</Th>
                <Th className="text-right">Void</Th>
              </tr>
            </thead>
            <tbody>
              {candidates.map((c) => (
                <tr key={c.checkpointId}>
                  <Td>
                    <Link href={`/models/${c.checkpointId}`} prefetch={false} className="text-accent hover:underline">
                      {visible(c.name)}
                    </Link>
                    {c === best ? <b className="ml-2 font-medium">highest here</b> : null}
                  </Td>
                  <Td className="text-right">{c.step}</Td>
                  <Td className="text-right">{formatMeanReward(c.average)}</Td>
                  <Td>{c.run ? <Link href={`/jobs/${c.run.jobId}`}>{state(c)}</Link> : state(c)}</Td>
                  <Td className="text-right">{c.rate?.value == null ? "not known" : percent(c.rate.value)}</Td>
                  <Td className="text-right">{c.rate?.interval == null ? "not known" : range(c.rate.interval)}</Td>
                  <Td className="text-right">
                    {c.run && c.rate ? (
                      <Link href={listHref({ profile: c.run.profileId })} className="text-accent hover:underline">
                        {c.rate.numerator} of {c.rate.denominator}
                      </Link>
                    ) : (
                      "none"
                    )}
                  </Td>
                  <Td className="text-right">{c.void}</Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
          <RunButton run={training.id} window={window} environments={environments} />
          {candidates.some((c) => c.rate?.value != null) ? (
            <EstimateBars
              title="Candidates on the selection set"
              name={`selection-${training.id}`}
              of="Candidate"
              whisker="95% interval over environments"
              note="Optimistic for the highest. One training; one rollout an environment."
              bars={candidates.map((c) => ({
                name: c.name,
                value: c.rate?.value == null ? null : 100 * c.rate.value,
                low: c.rate?.interval ? 100 * c.rate.interval.low : null,
                high: c.rate?.interval ? 100 * c.rate.interval.high : null,
                says: c.rate
                  ? `${c.rate.numerator} of ${c.rate.denominator} rollouts solved in ${plural(c.rate.clusters, "environment")}, ${c.void} void`
                  : "not run there",
                href: c.run ? listHref({ profile: c.run.profileId }) : null,
              }))}
            />
          ) : null}
        </>
      )}
    </Page>
  );
}
