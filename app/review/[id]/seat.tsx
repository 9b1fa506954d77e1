"use client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { OfferedType } from "@/app/review/types";
import { Kbd } from "@/components/ui/kbd";
import type { Progress } from "@/lib/review/serve/progress";
import { QUESTION_NAMES, type Question } from "@/lib/review/types";
import { visible } from "@/lib/text/glyphs";
import { chosenBefore, onEnter, switched } from "./chosen";
import { ContextDrawer } from "./context-drawer";
import { Guide } from "./guide";
import { Help } from "./help";
import { Jump } from "./jump";
import { type Choice, choicesOf } from "./keys";
import { Panel } from "./panel";
import { Revealed } from "./revealed";
import { Head } from "./seat-head";
import { SeatReader } from "./seat-reader";
import { EMPTY, type Shown } from "./seat-state";
import { Empty, END_WORDS, Notices } from "./seat-states";
import { entryName, StepView } from "./step-view";
import { useSeat } from "./use-seat";
import { useSeatKeys } from "./use-seat-keys";

export interface SeatProps {
  queue: { id: number; name: string; question: Question; reason: "optional" | "first"; leaseMinutes: number };
  personId: number;
  types: OfferedType[];
  guideline: { version: number; text: string };
  progress: Progress;
  /** The person may settle the queue. */
  settles: boolean;
}

/** Where an annotator works a queue: the step in context, the question, one key an answer. */
export function Seat({ queue, personId, types, guideline, progress, settles }: SeatProps) {
  const seat = useSeat(queue.id, personId, queue.leaseMinutes, { progress, guideline: guideline.version });
  const { state } = seat;
  const { shown } = state;
  const choices = useMemo(() => choicesOf(queue.question, types), [queue.question, types]);
  const typeName = useCallback((id: number) => types.find((t) => t.id === id)?.name ?? `type ${id}`, [types]);
  const [chosen, setChosen] = useState(() => chosenBefore(EMPTY));
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
    setChosen(chosenBefore(shown?.prefill ?? EMPTY));
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
  const submit = () => {
    if (!shown) return;
    const done = onEnter(queue.question, chosen, shown.prefill, shown.again, choices);
    if ("give" in done) give(done.give);
    else setProblem(done.missing);
  };
  const choose = (choice: Choice, by: "key" | "pointer") => {
    if (!shown) return;
    if (choice.typeId !== undefined) {
      setProblem(null);
      setChosen((before) => switched(before, choice, by));
    } else if (choice.answer) give(choice.answer);
  };
  useSeatKeys({
    choices,
    choose: (choice) => choose(choice, "key"),
    submit,
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
              takenBack={!shown.again}
              said={
                shown.prefill.verdict === null ? null : { verdict: shown.prefill.verdict, types: shown.prefill.types }
              }
              reason={reason}
              reasonFirst={queue.reason === "first"}
              noteRef={noteRef}
              problem={problem}
              onChoice={(choice) => choose(choice, "pointer")}
              onReason={setReason}
              onSubmit={submit}
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
        <Empty seat={seat} queueId={queue.id} settles={settles} />
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
