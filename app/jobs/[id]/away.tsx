import { TableFrame, Td, Th } from "@/components/ui/table";
import type { PlacedView } from "@/db/queries/placed";
import { formatCount, formatDuration, formatTime, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const PLACES: Record<string, string> = { local: "this machine", slurm: "Slurm", ray: "Ray" };

/** What Slurm's words mean for the tasks that are counted: only those with items that are not in the index. */
const MEANING: Record<string, string> = {
  SUBMITTED: "Slurm does not list it, or not yet",
  PENDING: "waits for a node",
  CONFIGURING: "its node is made ready",
  RUNNING: "works",
  SUSPENDED: "set aside by Slurm",
  COMPLETED: "ended; its last results are waited for",
};

/** Where a job runs and what that place last said of it. */
export function Away({ place, placed, live }: { place: string; placed: PlacedView; live: boolean }) {
  const states = Object.entries(placed.states).sort(([a], [b]) => a.localeCompare(b));
  const { launch } = placed;
  return (
    <section aria-label="Where it runs" className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="text-sm font-medium">
        {live ? "Runs" : "Ran"} on {PLACES[place] ?? visible(place)}
      </h2>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {launch === null ? (
          <SlurmJobs placed={placed} />
        ) : (
          <>
            <Row name="State">
              {launch.state === null ? "not submitted yet" : launch.state}
              {launch.said === null ? "" : `: ${visible(launch.said)}`}
            </Row>
            {launch.address === null ? null : <Row name="Address">{visible(launch.address)}</Row>}
            {launch.name === null ? null : <Row name="Name there">{visible(launch.name)}</Row>}
            <Row name="Folder">{visible(launch.folder)}</Row>
          </>
        )}
        <Row name="Last asked">{askedText(placed, live)}</Row>
      </dl>
      {states.length > 0 ? (
        <TableFrame label="Tasks by Slurm state" className="max-w-xl">
          <thead>
            <tr>
              <Th>Slurm says</Th>
              <Th className="text-right">Tasks</Th>
              <Th>Meaning</Th>
            </tr>
          </thead>
          <tbody>
            {states.map(([state, tasks]) => (
              <tr key={state}>
                <Td className="foreign whitespace-nowrap">{visible(state)}</Td>
                <Td className="text-right">{formatCount(tasks)}</Td>
                <Td className="text-muted">{MEANING[state] ?? "ended; what it left undone is submitted again"}</Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      ) : null}
    </section>
  );
}

function SlurmJobs({ placed: { slurmIds, pastSlurmIds } }: { placed: PlacedView }) {
  return (
    <>
      <Row name="Slurm jobs">{slurmIds.length === 0 ? "none open" : slurmIds.join(", ")}</Row>
      {pastSlurmIds.length === 0 ? null : (
        <Row name="Ended ones">
          {pastSlurmIds.length <= 10 ? (
            pastSlurmIds.join(", ")
          ) : (
            <details>
              <summary className="cursor-pointer">{plural(pastSlurmIds.length, "Slurm job")}</summary>
              {pastSlurmIds.join(", ")}
            </details>
          )}
        </Row>
      )}
    </>
  );
}

function askedText({ askedAt, askedAgoMs }: PlacedView, live: boolean): string {
  if (askedAt === null || askedAgoMs === null) return "not yet";
  if (!live) return `${formatTime(askedAt, true)} UTC`;
  return askedAgoMs < 1000 ? "just now" : `${formatDuration(Math.floor(askedAgoMs / 1000) * 1000)} ago`;
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="foreign">{children}</dd>
    </>
  );
}
