"use client";
import {
  CircleCheck,
  CircleHelp,
  CloudOff,
  History,
  Hourglass,
  Lock,
  PanelRightOpen,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import Link from "next/link";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { OfferedType } from "@/app/review/types";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Skeleton } from "@/components/ui/skeleton";
import { StateMessage } from "@/components/ui/state";
import type { Progress } from "@/lib/review/serve/progress";
import { QUESTION_NAMES, type Question } from "@/lib/review/types";
import { formatDuration, formatTime, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { ContextDrawer } from "./context-drawer";
import { Help } from "./help";
import { Jump } from "./jump";
import { type Choice, choicesOf } from "./keys";
import { Panel } from "./panel";
import { Revealed } from "./revealed";
import { SeatReader } from "./seat-reader";
import { entryName, StepView } from "./step-view";
import { type End, type Shown, useSeat } from "./use-seat";
import { useSeatKeys } from "./use-seat-keys";

export interface SeatProps {
  queue: { id: number; name: string; question: Question; reason: "optional" | "first"; leaseMinutes: number };
  personId: number;
  types: OfferedType[];
  guideline: { version: number; text: string };
  progress: Progress;
}

/** Where an annotator works a queue: the step in context, the question, one key an answer. */
export function Seat({ queue, personId, types, guideline, progress }: SeatProps) {
  const seat = useSeat(queue.id, personId, queue.leaseMinutes, { progress, guideline: guideline.version });
  const { state } = seat;
  const { shown } = state;
  const choices = useMemo(() => choicesOf(queue.question, types), [queue.question, types]);
  const typeName = useCallback((id: number) => types.find((t) => t.id === id)?.name ?? `type ${id}`, [types]);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [open, setOpen] = useState<"help" | "jump" | "context" | null>(null);
  const noteRef = useRef<HTMLTextAreaElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const scroller = useRef<HTMLDivElement>(null);

  // A new showing starts from what was said before, its heading in focus.
  const showing = shown?.showing;
  const [drawn, setDrawn] = useState<number | undefined>(undefined);
  if (showing !== drawn) {
    setDrawn(showing);
    setChosen(new Set(shown?.prefill.types ?? []));
    setReason(shown?.prefill.reason ?? "");
    setProblem(null);
  }
  useEffect(() => {
    if (showing === undefined) return;
    scroller.current?.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
    scroller.current?.querySelector("[data-asked]")?.scrollIntoView({ block: "nearest" });
  }, [showing]);

  const give = (answer: NonNullable<Choice["answer"]>) => {
    if (!shown) return;
    if (queue.reason === "first" && answer.verdict !== "skip" && reason.trim() === "") {
      setProblem("This queue asks for a reason before the answer.");
      noteRef.current?.focus();
      return;
    }
    seat.submit({ ...answer, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) });
  };
  const submitTypes = () => {
    if (queue.question !== "types") return;
    if (chosen.size === 0) return setProblem("Switch a type on first, or say 0 for none of them.");
    give({ verdict: "types", types: [...chosen] });
  };
  const choose = (choice: Choice) => {
    if (!shown) return;
    if (choice.typeId !== undefined) {
      const { typeId } = choice;
      setProblem(null);
      setChosen((before) => {
        const next = new Set(before);
        if (!next.delete(typeId)) next.add(typeId);
        return next;
      });
    } else if (choice.answer) give(choice.answer);
  };
  useSeatKeys({
    choices,
    choose,
    submit: submitTypes,
    undo: () => void seat.undo(),
    back: () => void seat.move(1),
    forward: () => void seat.move(-1),
    jump: () => setOpen("jump"),
    note: () => noteRef.current?.focus(),
    context: () => shown && setOpen("context"),
    help: () => setOpen("help"),
    escape: seat.present,
  });
  const dialog = (name: typeof open) => ({
    open: open === name,
    onOpenChange: (on: boolean) => setOpen(on ? name : null),
  });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head
        queue={queue}
        progress={state.progress}
        onUndo={() => void seat.undo()}
        onJump={() => setOpen("jump")}
        onHelp={() => setOpen("help")}
        onContext={shown ? () => setOpen("context") : null}
      />
      <Notices seat={seat} guideline={guideline.version} />
      <p className="sr-only" aria-live="polite" role="status">
        {shown ? announcement(shown, queue.question) : state.end ? END_WORDS[state.end.state] : "Loading"}
      </p>
      {shown ? (
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <section
            ref={scroller}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is reached by keyboard
            tabIndex={0}
            aria-label="Item"
            className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none"
          >
            <Item shown={shown} heading={heading} question={queue.question} />
          </section>
          <aside
            aria-label="Answer"
            className="flex max-h-[46dvh] shrink-0 flex-col gap-3 overflow-y-auto border-t bg-surface p-3 lg:max-h-none lg:w-96 lg:border-t-0 lg:border-l"
          >
            <Panel
              choices={choices}
              chosen={chosen}
              said={
                shown.prefill.verdict === null ? null : { verdict: shown.prefill.verdict, types: shown.prefill.types }
              }
              reason={reason}
              reasonFirst={queue.reason === "first"}
              noteRef={noteRef}
              problem={problem}
              onChoice={choose}
              onReason={setReason}
              onSubmit={submitTypes}
            />
            {shown.revealed ? (
              <SeatReader trajectoryId={shown.item.trajectoryId}>
                <Revealed revealed={shown.revealed} />
              </SeatReader>
            ) : null}
            <Guide text={guideline.text} version={guideline.version} types={types} />
          </aside>
        </div>
      ) : (
        <Empty seat={seat} queueId={queue.id} />
      )}
      <Help {...dialog("help")} choices={choices} />
      <Jump
        {...dialog("jump")}
        history={seat.history}
        typeName={typeName}
        onPick={(itemId) => {
          setOpen(null);
          void seat.lookAt(itemId);
        }}
      />
      {shown ? <ContextDrawer {...dialog("context")} queueId={queue.id} item={shown.item} /> : null}
    </div>
  );
}

/** What a screen reader hears of a new item. */
function announcement({ item, again }: Shown, question: Question): string {
  const asked = item.entries.find((e) => e.index === item.from);
  const command = asked?.call?.commandText ?? asked?.message?.text ?? "";
  const what = item.asks ? ` ${item.asks.name}.` : "";
  const step = asked ? `${entryName(asked)}: ${command.slice(0, 120)}` : "";
  return visible(
    `${again ? "Your answer to item" : "Item"} ${item.position}. ${QUESTION_NAMES[question]}${what} ${step}`,
  );
}

function Item({
  shown,
  heading,
  question,
}: {
  shown: Shown;
  heading: React.RefObject<HTMLHeadingElement | null>;
  question: Question;
}) {
  const { item, again } = shown;
  const before = item.entries.filter((e) => e.index < item.from);
  const asked = item.entries.filter((e) => e.index >= item.from);
  return (
    <SeatReader key={item.itemId} trajectoryId={item.trajectoryId}>
      <div className="flex max-w-5xl flex-col px-2 py-2 sm:px-4">
        <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
          {QUESTION_NAMES[question]}{" "}
          <span className="text-sm font-normal text-muted tabular-nums">
            item {item.position}
            {again ? ", answered: say it anew to change it" : ""}
          </span>
        </h2>
        {item.asks ? (
          <p className="foreign max-w-[80ch] py-1 text-sm">
            <span className="font-semibold">{visible(item.asks.name)}</span>: {visible(item.asks.definition)}
            {item.asks.excludes.length > 0 ? (
              <span className="text-muted"> Not: {item.asks.excludes.map(visible).join("; ")}.</span>
            ) : null}
          </p>
        ) : null}
        {item.task ? <StepView entry={item.task} note="what was asked" /> : null}
        {(before[0]?.index ?? item.from) > (item.task ? item.task.index + 1 : 0) ? (
          <p className="py-1 text-xs text-muted">
            … earlier entries: <Kbd>x</Kbd>
          </p>
        ) : null}
        {before.map((entry) => (
          <StepView key={entry.index} entry={entry} />
        ))}
        <div data-asked className="scroll-mt-2">
          {asked.map((entry) => (
            <StepView key={entry.index} entry={entry} asked />
          ))}
        </div>
      </div>
    </SeatReader>
  );
}

function Head({
  queue,
  progress,
  onUndo,
  onJump,
  onHelp,
  onContext,
}: {
  queue: SeatProps["queue"];
  progress: Progress;
  onUndo: () => void;
  onJump: () => void;
  onHelp: () => void;
  onContext: (() => void) | null;
}) {
  const { done, left, paceMs, timeLeftMs } = progress;
  const all = done + left;
  const percent = all === 0 ? 100 : Math.round((100 * done) / all);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1.5">
      <h1 className="min-w-0 max-w-full truncate font-semibold">
        <Link href="/review" className="text-muted hover:underline">
          Review
        </Link>{" "}
        <span aria-hidden className="text-muted">
          /
        </span>{" "}
        {visible(queue.name)}
      </h1>
      <div className="flex min-w-40 flex-1 items-center gap-2 text-xs text-muted tabular-nums">
        <div
          role="progressbar"
          aria-label="Your progress"
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuetext={`${done} done, ${left} left`}
          className="h-1.5 w-20 shrink-0 overflow-hidden rounded bg-raised sm:w-32"
        >
          <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
        </div>
        <span>
          {done} done · {left} left
          {paceMs === null ? null : (
            <span className="max-sm:sr-only">
              {" "}
              · {formatDuration(paceMs)} an item
              {left > 0 && timeLeftMs !== null ? ` · about ${formatDuration(timeLeftMs)} to go` : ""}
            </span>
          )}
        </span>
      </div>
      <div className="flex items-center gap-1">
        <Button size="sm" variant="ghost" onClick={onUndo} aria-keyshortcuts="u">
          <Undo2 aria-hidden /> <span className="max-sm:sr-only">Undo</span> <Kbd>u</Kbd>
        </Button>
        <Button size="sm" variant="ghost" onClick={onJump} aria-keyshortcuts="g">
          <History aria-hidden /> <span className="max-sm:sr-only">Your answers</span> <Kbd>g</Kbd>
        </Button>
        {onContext ? (
          <Button size="sm" variant="ghost" onClick={onContext} aria-keyshortcuts="x">
            <PanelRightOpen aria-hidden /> <span className="max-sm:sr-only">Context</span> <Kbd>x</Kbd>
          </Button>
        ) : null}
        <Button size="sm" variant="ghost" onClick={onHelp} aria-label="Keys" aria-keyshortcuts="?">
          <CircleHelp aria-hidden /> <Kbd>?</Kbd>
        </Button>
      </div>
    </header>
  );
}

type SeatApi = ReturnType<typeof useSeat>;

function Notices({ seat, guideline }: { seat: SeatApi; guideline: number }) {
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

const END_WORDS: Record<End["state"], string> = {
  finished: "Everything is answered: nothing is left for you in this queue.",
  waiting: "What is left is in others' hands.",
  closed: "This queue is closed.",
};

function Empty({ seat, queueId }: { seat: SeatApi; queueId: number }) {
  const { end, failed, offline, progress } = seat.state;
  const actions = (
    <>
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
        {progress.queue.items} items of the queue have all their answers.
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
        It takes no answers any more. What you had said is kept.
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

function Guide({ text, version, types }: { text: string; version: number; types: OfferedType[] }) {
  // Beside the item where there is room; under the answers it would push them away.
  const [wide] = useState(() => window.matchMedia("(min-width: 64rem)").matches);
  return (
    <details open={wide} className="border-t pt-2">
      <summary className="cursor-pointer text-sm font-semibold">
        Guideline <span className="text-xs font-normal text-muted">version {version}</span>
      </summary>
      <div className="foreign pt-1 text-sm whitespace-pre-wrap">
        {text === "" ? <span className="text-muted">None is written for this queue.</span> : visible(text)}
      </div>
      {types.length > 0 ? (
        <dl className="flex flex-col gap-2 pt-2 text-sm">
          {types.map((type) => (
            <div key={type.id} className="foreign">
              <dt className="font-medium">{visible(type.name)}</dt>
              <dd className="text-muted">
                {visible(type.definition)}
                {type.excludes.length > 0 ? ` Not: ${type.excludes.map(visible).join("; ")}.` : ""}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </details>
  );
}
