"use client";
import { useMemo, useState } from "react";
import type { CorrectionView } from "@/db/queries/corrections";
import type { Detail, ReaderContextValue } from "./context";
import type { EntryView } from "./types";

const NO_FIND = { pattern: null, active: null };
const NOWHERE = () => undefined;

/**
 * What entries need around them on a page that is no reader: they stand still, `at` is folded, the others are lines; null:
 * all are folded. Tries of a teacher belong to `at`. `raw`: entry whose raw JSON is open. Keep `jump` the same between draws.
 */
export function useStillReader({
  trajectoryId,
  entries,
  corrections,
  at,
  jump = NOWHERE,
}: {
  trajectoryId: number;
  /** EntryView[] as JSON text: it keeps lone surrogates, which the page's own transport does not. */
  entries: string;
  /** CorrectionView[] of `at`, as JSON text. */
  corrections: string;
  at: number | null;
  jump?: (entry: number) => void;
}) {
  const list = useMemo(() => JSON.parse(entries) as EntryView[], [entries]);
  const tries = useMemo(() => JSON.parse(corrections) as CorrectionView[], [corrections]);
  const [details, setDetails] = useState<ReadonlyMap<number, Detail>>(new Map());
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set());
  const [raw, setRaw] = useState<number | null>(null);
  const context = useMemo<ReaderContextValue>(
    () => ({
      trajectoryId,
      wrap: true,
      raw: false,
      thinking: true,
      find: NO_FIND,
      evidence: null,
      detailOf: (entry) => details.get(entry) ?? (at === null || entry === at ? "folded" : "line"),
      setDetail: (entry, next) => setDetails((now) => new Map(now).set(entry, next)),
      isOn: (key) => switched.has(key),
      toggle: (key) =>
        setSwitched((now) => {
          const next = new Set(now);
          if (!next.delete(key)) next.add(key);
          return next;
        }),
      jump,
      showRaw: setRaw,
      triesOf: (entry) => (entry === at ? tries : []),
      entryAt: (entry) => list.find((one) => one.index === entry),
    }),
    [trajectoryId, details, switched, at, jump, tries, list],
  );
  const numberOf = (entry: number) => list.find((one) => one.index === entry)?.number ?? null;
  return { list, context, numberOf, raw, setRaw };
}
