import { CheckCheck, EyeOff, Lock } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { currentActor } from "@/app/actor";
import { QueuePlaces } from "@/app/review/[id]/places";
import { entryView } from "@/app/trajectories/[id]/entry-view";
import { cn } from "@/components/cn";
import { Page } from "@/components/shell/page";
import { StateMessage } from "@/components/ui/state";
import { type Db, getDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { correctionsOf } from "@/db/queries/corrections";
import { entryWindow } from "@/db/queries/reader-entries";
import { reviewQueueById } from "@/db/queries/reviewAnswers";
import { subjectPlace } from "@/db/queries/reviewSubjects";
import { ReviewRefused } from "@/lib/review/queue/queue";
import { subjectOf } from "@/lib/review/serve/subject";
import { settleDesk } from "@/lib/review/settle/desk";
import { QUESTION_NAMES, type Question, VERDICTS } from "@/lib/review/types";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { Desk } from "./desk";
import { loadSettleParams, SHOWN, type Shown, settleHref } from "./search-params";
import { Subject } from "./subject";

export const metadata: Metadata = { title: "Settle" };
export const dynamic = "force-dynamic";

const NAMES: Record<Shown, string> = {
  conflict: "In conflict",
  unsure: "All unsure",
  unanimous: "Unanimous",
  waiting: "Waiting for answers",
  settled: "Settled",
  gold: "Known",
};

/** Entries shown before a subject. */
const BEFORE = 2;

/** The entries of a subject and a few before it; null when it is not in the index any more. */
function readable(db: Db, question: Question, subjectId: number) {
  try {
    const { trajectoryId, from, to } = subjectOf(db, question, subjectId);
    const first = question === "window" ? from : Math.max(0, from - BEFORE);
    return {
      trajectoryId,
      entry: question === "window" ? null : to,
      entries: entryWindow(db, trajectoryId, first, to - first + 1).map((entry) => entryView(entry)),
      corrections: question === "window" ? [] : correctionsOf(db, stepId(trajectoryId, to)),
    };
  } catch (error) {
    if (error instanceof ReviewRefused) return null;
    throw error;
  }
}

export default async function SettlePage({ params, searchParams }: PageProps<"/review/[id]/settle">) {
  const id = Number((await params).id);
  const { show, item: position, names } = await loadSettleParams(searchParams);
  const db = getDb();
  const queue = Number.isSafeInteger(id) ? reviewQueueById(db, id) : undefined;
  if (!queue) notFound();
  const actor = await currentActor();
  const places = <QueuePlaces id={id} here="settle" norming={queue.mode === "norming"} />;
  const title = `Settle ${visible(queue.name)}`;
  if (actor.role !== "admin")
    return (
      <Page title={title} actions={places}>
        <StateMessage icon={<Lock aria-hidden />} title="Settling needs the role admin">
          {visible(actor.name)} is {actor.role}. An admin changes roles under Settings, People.
        </StateMessage>
      </Page>
    );
  const desk = settleDesk(db, id, show, actor, { position, names });
  const place = desk.item && subjectPlace(db, queue.question, desk.item.subjectId);
  const shown = desk.item && place && readable(db, queue.question, desk.item.subjectId);
  return (
    <Page title={title} note={QUESTION_NAMES[queue.question]} actions={places}>
      <nav aria-label="Items by standing" className="flex flex-wrap gap-1 text-sm">
        {SHOWN.map((shown) => (
          <Link
            key={shown}
            href={settleHref(id, { show: shown, names })}
            aria-current={shown === show ? "page" : undefined}
            className={cn(
              "rounded-md border px-2 py-1 hover:bg-raised",
              shown === show ? "border-accent bg-accent-soft text-accent" : "bg-surface text-muted",
            )}
          >
            {NAMES[shown]} <span className="tabular-nums">{formatCount(desk.counts[shown])}</span>
          </Link>
        ))}
      </nav>
      {desk.hidden > 0 ? (
        <p className="flex items-center gap-1.5 text-sm text-muted">
          <EyeOff aria-hidden className="size-4 shrink-0" />
          {plural(desk.hidden, "item")} of this list {desk.hidden === 1 ? "is" : "are"} not shown: you rate this queue
          and have not answered {desk.hidden === 1 ? "it" : "them"} yet.
        </p>
      ) : null}
      <Desk
        queueId={id}
        params={{ show, names }}
        list={desk.list.map((one) => one.position)}
        item={desk.item}
        types={desk.types}
        verdicts={[...VERDICTS[queue.question], "unsure", "environment"]}
        unanimous={desk.counts.unanimous}
      >
        {desk.item && place && shown ? (
          <Subject
            key={desk.item.id}
            {...{ trajectoryId: shown.trajectoryId, entry: shown.entry }}
            {...{ title: place.title, about: place.about, href: place.href }}
            entries={JSON.stringify(shown.entries)}
            corrections={JSON.stringify(shown.corrections)}
          />
        ) : desk.item ? (
          <p className="text-sm text-muted">What this item was about is not in the index any more.</p>
        ) : (
          <StateMessage icon={<CheckCheck aria-hidden />} title={show === "conflict" ? "No conflict is left" : "None"}>
            {desk.counts.unanimous > 0
              ? `${plural(desk.counts.unanimous, "item")} can be adopted as all said it.`
              : `${plural(desk.counts.settled, "item")} settled, ${formatCount(desk.counts.waiting)} waiting for answers.`}
          </StateMessage>
        )}
      </Desk>
    </Page>
  );
}
