"use client";
import { CheckCheck, CircleCheck, CloudOff, Hourglass, Lock, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { StateMessage } from "@/components/ui/state";
import { formatTime, plural } from "@/lib/text/format";
import type { End } from "./seat-state";
import type { useSeat } from "./use-seat";

type SeatApi = ReturnType<typeof useSeat>;

/** What a rater has to know beside the item: unsent answers, a lost lease, a refusal, a newer guideline. */
export function Notices({ seat, guideline }: { seat: SeatApi; guideline: number }) {
  const { offline, unsent, lost, refused, shown } = seat.state;
  return (
    <div aria-live="polite">
      {offline ? (
        <p className="flex flex-wrap items-center gap-2 bg-warn-soft px-3 py-1 text-sm text-warn">
          <CloudOff className="size-4" aria-hidden /> The server does not answer.{" "}
          {unsent > 0 ? `${plural(unsent, "answer")} kept in this browser, sent as soon as it does.` : "Trying again."}
          <Button size="sm" variant="ghost" onClick={seat.retry}>
            Try now
          </Button>
        </p>
      ) : null}
      {lost && shown && !shown.again ? (
        <p className="flex flex-wrap items-center gap-2 bg-warn-soft px-3 py-1 text-sm text-warn">
          <Hourglass className="size-4" aria-hidden /> You had this item for too long and others have answered it. Your
          answer is kept as an extra one.
          <Button size="sm" variant="ghost" onClick={() => void seat.letGo()}>
            Take the next instead
          </Button>
        </p>
      ) : null}
      {refused ? (
        <p className="flex items-center gap-2 bg-bad-soft px-3 py-1 text-sm text-bad" role="alert">
          <TriangleAlert className="size-4" aria-hidden /> {refused}
        </p>
      ) : null}
      {seat.state.guideline > guideline ? (
        <p className="bg-accent-soft px-3 py-1 text-sm">
          The guideline has changed.{" "}
          <button type="button" className="text-accent underline" onClick={() => location.reload()}>
            Read version {seat.state.guideline}
          </button>
        </p>
      ) : null}
    </div>
  );
}

/** Why there is no item, for a screen reader. */
export const END_WORDS: Record<End["state"], string> = {
  finished: "Everything is answered: nothing is left for you in this queue.",
  waiting: "What is left is in others' hands.",
  closed: "This queue is closed.",
};

/** The seat without an item: loading, failed, offline, finished, waiting, closed. */
export function Empty({ seat, queueId, settles }: { seat: SeatApi; queueId: number; settles: boolean }) {
  const { end, failed, offline, progress } = seat.state;
  const settled = `Answers are no labels yet: what they come to counts once ${settles ? "it is settled" : "an admin has settled it"}.`;
  const over = end?.state === "finished" || end?.state === "closed";
  const actions = (
    <>
      {over && settles ? (
        <Button asChild variant="primary">
          <Link href={`/review/${queueId}/settle`}>
            <CheckCheck aria-hidden /> Settle
          </Link>
        </Button>
      ) : null}
      <Button onClick={seat.retry}>Look again</Button>
      {progress.done > 0 ? (
        <Button asChild>
          <Link href={`/review/${queueId}/history`}>Your answers</Link>
        </Button>
      ) : null}
      <Button asChild>
        <Link href="/review">All queues</Link>
      </Button>
    </>
  );
  if (failed)
    return (
      <StateMessage
        tone="bad"
        icon={<TriangleAlert aria-hidden />}
        title="The next item could not be loaded"
        actions={actions}
      >
        {failed}
      </StateMessage>
    );
  if (end?.state === "finished")
    return (
      <StateMessage
        icon={<CircleCheck aria-hidden />}
        title={progress.done > 0 ? "Done: nothing is left for you" : "Nothing is left for you"}
        actions={actions}
      >
        You have answered {plural(progress.done, "item")}
        {progress.skipped > 0 ? `, ${progress.skipped} of them skipped` : ""}. {progress.queue.complete} of{" "}
        {progress.queue.items} items of the queue have all their answers. {settled}
      </StateMessage>
    );
  if (end?.state === "waiting")
    return (
      <StateMessage icon={<Hourglass aria-hidden />} title="What is left is in others' hands" actions={actions}>
        {plural(end.items, "item")} {end.items === 1 ? "is" : "are"} being answered by others; the first comes free at{" "}
        {formatTime(end.from, true)} if they do not finish. This page takes it then.
      </StateMessage>
    );
  if (end?.state === "closed")
    return (
      <StateMessage icon={<Lock aria-hidden />} title="This queue is closed" actions={actions}>
        It takes no answers any more. What you had said is kept. {settled}
      </StateMessage>
    );
  if (offline)
    return <StateMessage icon={<CloudOff aria-hidden />} title="The server does not answer" actions={actions} />;
  return (
    <div className="flex flex-col gap-3 p-4" aria-hidden>
      <Skeleton className="h-5 w-64" />
      <Skeleton className="h-24 w-full max-w-4xl" />
      <Skeleton className="h-40 w-full max-w-4xl" />
    </div>
  );
}
