"use client";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import type { SeatItem } from "@/app/review/types";
import type { EntryView } from "@/components/reader/types";
import { Button } from "@/components/ui/button";
import { callEntries } from "./calls";
import { SeatReader } from "./seat-reader";
import { StepView } from "./step-view";

const PAGE = 30;

/** The trajectory around an item, in a drawer that leaves the item as it is. Before the answer it ends where the question does. */
export function ContextDrawer({
  queueId,
  item,
  open,
  onOpenChange,
}: {
  queueId: number;
  item: SeatItem;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-50 flex w-[min(60rem,100vw)] flex-col border-l bg-surface shadow-xl"
          onKeyDown={(event) => {
            if (event.key === "x") onOpenChange(false);
          }}
        >
          <div className="flex items-center gap-3 border-b px-3 py-2">
            <Radix.Title className="min-w-0 flex-1 font-semibold">
              Context of item {item.position}
              <span className="ml-2 text-xs font-normal text-muted">
                {item.open ? "the whole trajectory" : "what others and models say comes after your answer"}
              </span>
            </Radix.Title>
            <Radix.Close aria-label="Close" className="rounded-md p-1 text-muted hover:bg-raised hover:text-text">
              <X className="size-4" aria-hidden />
            </Radix.Close>
          </div>
          {open ? <Entries key={`${item.itemId}:${item.open}`} queueId={queueId} item={item} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type Load = "idle" | "loading" | "failed" | "end";

function Entries({ queueId, item }: { queueId: number; item: SeatItem }) {
  const first = Math.max(0, item.from - PAGE);
  const [entries, setEntries] = useState<EntryView[]>([]);
  const [range, setRange] = useState<{ from: number; to: number }>({ from: item.from, to: item.from });
  const [before, setBefore] = useState<Load>("idle");
  const [after, setAfter] = useState<Load>("idle");
  const asked = useRef<HTMLDivElement>(null);
  const placed = useRef(false);
  const load = async (from: number, to: number, set: (state: Load) => void) => {
    set("loading");
    try {
      const got = await callEntries(queueId, item.itemId, from, to - from);
      setEntries((all) => [...all.filter((e) => e.index < from), ...got, ...all.filter((e) => e.index >= to)]);
      setRange((r) => ({ from: Math.min(r.from, from), to: Math.max(r.to, to) }));
      // Clearly short of what was asked for: there is no more that may be read. One entry may be left out in between.
      set(set === setAfter && (got.at(-1)?.index ?? -1) < to - 2 ? "end" : "idle");
    } catch {
      set("failed");
    }
  };
  const start = useRef(load);
  useEffect(() => {
    void start.current(first, item.to + 1 + PAGE, setAfter);
  }, [first, item.to]);
  useEffect(() => {
    if (placed.current || entries.length === 0) return;
    placed.current = true;
    asked.current?.scrollIntoView({ block: "center" });
  }, [entries]);
  const more = (state: Load, what: string, run: () => void) => (
    <div className="flex justify-center p-2">
      <Button size="sm" onClick={run} disabled={state === "loading"}>
        {state === "loading" ? "Loading…" : state === "failed" ? `${what}: failed, try again` : what}
      </Button>
    </div>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is reached by keyboard
    <section aria-label="Entries" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto outline-none">
      <SeatReader trajectoryId={item.trajectoryId}>
        {range.from > 0
          ? more(before, "Earlier entries", () => void load(Math.max(0, range.from - PAGE), range.from, setBefore))
          : null}
        {entries.map((entry) => {
          const is = entry.index >= item.from && entry.index <= item.to;
          return (
            <div
              key={entry.index}
              ref={is && entry.index === item.from ? asked : undefined}
              className="border-t border-line"
            >
              <StepView entry={entry} asked={is} />
            </div>
          );
        })}
        {after === "end" ? (
          <p className="p-3 text-center text-xs text-muted">
            {item.open
              ? "End of the trajectory."
              : "What comes after this is not shown before your answer, or there is nothing."}
          </p>
        ) : (
          more(after, "Later entries", () => void load(range.to, range.to + PAGE, setAfter))
        )}
      </SeatReader>
    </section>
  );
}
