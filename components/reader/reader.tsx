"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { CircleOff } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import type { CorrectionView } from "@/db/queries/corrections";
import type { Flag } from "@/db/queries/reader-flags";
import { type Detail, type Evidence, type ReaderContextValue, ReaderProvider } from "./context";
import { EntryList } from "./entry-list";
import { FindBar } from "./find-bar";
import { HelpDialog } from "./help-dialog";
import { MARK_BITS, numbersOf } from "./marks";
import { Minimap } from "./minimap";
import { RawDialog } from "./raw-dialog";
import { Toolbar } from "./toolbar";
import type { EntryView } from "./types";
import { useEntries } from "./use-entries";
import { useFind } from "./use-find";
import { useFresh } from "./use-fresh";
import { useKeys } from "./use-keys";
import { useMeasureAnew } from "./use-measure-anew";
import { usePin } from "./use-pin";
import { usePlaceInUrl } from "./use-place-in-url";
import { useWalk } from "./use-walk";
import { isHidden, isStop, nextWalk, type Walk } from "./walk";

interface Props {
  trajectoryId: number;
  marks: number[];
  lines: number[];
  flags: Flag[];
  /** The window around the target, as JSON text: it keeps lone surrogates, which the page's own transport does not. */
  first: { window: number; json: string };
  /** Entry to land on; null for the start. */
  target: number | null;
  find: string;
  /** Which steps to read where some were rejected. */
  walk: Walk;
  /** Tries of teachers by the entry they were made for, as JSON text of [entry, CorrectionView[]] pairs. */
  corrections: string;
  /** More that can be done with an entry. */
  actions?: ReaderContextValue["actions"];
}

const LINE = 17;
const CARD = 70;
const FOLDED_CARD = 36;
const HIDDEN_CARD = 25;
const NO_TRIES: CorrectionView[] = [];

/** All entries of a trajectory in one scroll. */
export function Reader(props: Props) {
  const { trajectoryId, marks, lines, flags, first, target, find: initialFind, actions } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [detail, setDetail] = useState<Detail>("folded");
  const [drawn, setDrawn] = useState(0);
  const [details, setDetails] = useState<ReadonlyMap<number, Detail>>(new Map());
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set());
  const [thinking, setThinking] = useState(true);
  const [wrap, setWrap] = useState(true);
  const [raw, setRaw] = useState(false);
  const [marked, setMarked] = useState<number | null>(target);
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const [rawEntry, setRawEntry] = useState<number | null>(null);
  const [help, setHelp] = useState(false);
  const [findFocus, setFindFocus] = useState(0);

  const given = useMemo(() => ({ window: first.window, entries: JSON.parse(first.json) as EntryView[] }), [first]);
  const numbers = useMemo(() => numbersOf(marks), [marks]);
  const steps = useMemo(() => numbers.reduce<number>((most, n) => Math.max(most, n ?? 0), 0), [numbers]);
  const tries = useMemo(
    () => new Map(JSON.parse(props.corrections) as [number, CorrectionView[]][]),
    [props.corrections],
  );
  const someRejected = useMemo(() => marks.some((mark) => (mark & MARK_BITS.rejected) !== 0), [marks]);
  const [walk, setWalk] = useWalk(props.walk);
  const hidden = (entry: number) => marked !== entry && isHidden(marks[entry] ?? 0, walk);
  const byEntry = useMemo(() => new Map(flags.map((flag) => [flag.entry, flag])), [flags]);
  const flagged = useMemo(() => new Set(flags.filter((f) => f.active).map((f) => f.entry)), [flags]);
  const numberOf = useCallback((entry: number) => numbers[entry] ?? null, [numbers]);

  const virtualizer = useVirtualizer({
    count: marks.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => (hidden(i) ? HIDDEN_CARD : detail === "line" ? FOLDED_CARD : CARD + (lines[i] ?? 4) * LINE),
    overscan: 3,
    initialRect: { width: 1000, height: 900 },
    initialOffset: 0,
  });
  // Heights become known while reading: what lies above must not push what is read.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _delta, instance) =>
    item.start < (instance.scrollOffset ?? 0);
  useMeasureAnew(virtualizer, scroller, `${walk} ${drawn}`);
  const { pin, moving } = usePin(virtualizer, scroller);
  const items = virtualizer.getVirtualItems();
  const offset = virtualizer.scrollOffset ?? 0;
  const height = virtualizer.scrollRect?.height ?? 0;
  const visible = items.filter((item) => item.end > offset + 8 && item.start < offset + height);
  const from = visible[0]?.index ?? 0;
  const to = visible.at(-1)?.index ?? from;
  const entries = useEntries(trajectoryId, items[0]?.index ?? 0, items.at(-1)?.index ?? 0, marks.length, given);

  // Where reading stands: the entry last gone to while it is in view, else the topmost.
  const current = marked !== null && marked >= from && marked <= to ? marked : from;
  const currentRef = useRef(current);
  useEffect(() => {
    currentRef.current = current;
  });

  const jump = useCallback(
    (entry: number, span?: Evidence) => {
      setMarked(entry);
      setEvidence(span ?? null);
      pin(entry, span !== undefined);
    },
    [pin],
  );
  const jumpToMatch = useCallback(
    (entry: number) => {
      setMarked(entry);
      setEvidence(null);
      pin(entry, true);
    },
    [pin],
  );
  const find = useFind(
    trajectoryId,
    initialFind,
    useCallback(() => currentRef.current, []),
    jumpToMatch,
  );

  const written = usePlaceInUrl(current, target ?? 0, moving, numberOf);
  const landed = useRef(false);
  useEffect(() => {
    // The page fetched anew carries the place that reading wrote into the address: that is no wish to go there.
    const own = landed.current && target === written.current;
    landed.current = true;
    if (target === null || own) return;
    setMarked(target);
    pin(target, initialFind !== "");
  }, [pin, target, initialFind, written]);
  useFresh();

  const goTo = (number: number) => {
    const entry = numbers.indexOf(Math.min(number, steps));
    if (entry >= 0) jump(entry);
  };
  const nextStep = (by: 1 | -1) => {
    let entry = current + by;
    while (entry >= 0 && entry < marks.length && !isStop(marks[entry] ?? 0, walk)) entry += by;
    if (entry >= 0 && entry < marks.length) jump(entry);
  };
  const nextFlagged = (by: 1 | -1) => {
    const sorted = [...flagged].sort((a, b) => a - b);
    const entry = by === 1 ? sorted.find((e) => e > current) : sorted.findLast((e) => e < current);
    if (entry !== undefined) jump(entry);
  };
  const changeWalk = (next: Walk) => {
    // Reading goes on at the entry that stands for the one that is passed over now.
    const stays = !isHidden(marks[current] ?? 0, next);
    const place = stays ? current : current + ((marks[current] ?? 0) & MARK_BITS.rejected ? 1 : -1);
    setWalk(next);
    setMarked(place);
    pin(place, false);
  };
  const openFind = () => {
    find.show();
    setFindFocus((n) => n + 1);
  };
  useKeys({
    step: nextStep,
    flagged: nextFlagged,
    first: () => jump(0),
    last: () => jump(marks.length - 1),
    goTo,
    find: openFind,
    help: () => setHelp(true),
    walk: () => someRejected && changeWalk(nextWalk(walk)),
    escape: () => find.close(),
  });

  const setAll = (next: Detail) => {
    setDetail(next);
    setDetails(new Map());
    if (next !== "whole") setSwitched(new Set());
    setDrawn((n) => n + 1);
    pin(current, false);
  };

  const { state: findState } = find;
  const context = useMemo<ReaderContextValue>(
    () => ({
      trajectoryId,
      wrap,
      raw,
      thinking,
      find: findState,
      evidence,
      detailOf: (entry) => details.get(entry) ?? detail,
      setDetail: (entry, next) => setDetails((now) => new Map(now).set(entry, next)),
      isOn: (key) => switched.has(key),
      toggle: (key) =>
        setSwitched((now) => {
          const next = new Set(now);
          if (!next.delete(key)) next.add(key);
          return next;
        }),
      jump,
      showRaw: setRawEntry,
      triesOf: (entry) => tries.get(entry) ?? NO_TRIES,
      entryAt: entries.get,
      actions,
    }),
    [trajectoryId, wrap, raw, thinking, findState, evidence, details, detail, switched, jump, tries, entries, actions],
  );

  if (marks.length === 0)
    return (
      <StateMessage icon={<CircleOff aria-hidden />} title="This trajectory has no steps">
        The file holds no message and no command: the agent did not start, or stopped before its first answer. What else
        the file says is under Metadata.
      </StateMessage>
    );

  return (
    <ReaderProvider value={context}>
      <div className="flex h-full min-h-0 flex-col">
        <Toolbar
          steps={steps}
          current={numberOf(current)}
          flags={flags}
          thinking={thinking}
          wrap={wrap}
          raw={raw}
          walk={someRejected ? walk : null}
          onWalk={changeWalk}
          onGoTo={goTo}
          onStep={nextStep}
          onEntry={jump}
          onDetail={setAll}
          onThinking={() => {
            setThinking(!thinking);
            pin(current, false);
          }}
          onWrap={() => setWrap(!wrap)}
          onRaw={() => setRaw(!raw)}
          onFind={openFind}
          onHelp={() => setHelp(true)}
        />
        {entries.failed ? (
          <p role="alert" className="flex items-center gap-2 bg-bad-soft px-3 py-1 text-sm text-bad">
            Some entries could not be fetched: {entries.failed.message}
            <Button size="sm" onClick={entries.failed.retry}>
              Try again
            </Button>
          </p>
        ) : null}
        <div className="relative flex min-h-0 flex-1">
          {find.open ? <FindBar find={find} focus={findFocus} /> : null}
          <EntryList
            scroller={scroller}
            height={virtualizer.getTotalSize()}
            items={items}
            measure={virtualizer.measureElement}
            marks={marks}
            marked={marked}
            isHidden={hidden}
            entryAt={entries.get}
            flagOf={(entry) => byEntry.get(entry)}
            numberOf={numberOf}
            onShow={jump}
          />
          <Minimap marks={marks} flagged={flagged} from={from} to={to} onGo={(entry) => jump(entry)} />
        </div>
      </div>
      <HelpDialog open={help} onOpenChange={setHelp} />
      <RawDialog trajectoryId={trajectoryId} entry={rawEntry} onClose={() => setRawEntry(null)} />
    </ReaderProvider>
  );
}
