"use client";
import { useCallback, useMemo, useState } from "react";
import { type Evidence, type ReaderContextValue, ReaderProvider } from "@/components/reader/context";

const NOTHING = () => undefined;
const NO_TRIES: never[] = [];

/** What the reader's parts need around them, without a reader: texts are folded, nothing is found or linked to. */
export function SeatReader({
  trajectoryId,
  onEvidence,
  evidence = null,
  children,
}: {
  trajectoryId: number;
  evidence?: Evidence | null;
  onEvidence?: ((entry: number, evidence?: Evidence) => void) | undefined;
  children: React.ReactNode;
}) {
  const [on, setOn] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (key: string) =>
      setOn((before) => {
        const next = new Set(before);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  const value = useMemo<ReaderContextValue>(
    () => ({
      ...{ trajectoryId, wrap: true, raw: false, thinking: true, evidence },
      find: { pattern: null, active: null },
      detailOf: () => "folded",
      setDetail: NOTHING,
      isOn: (key) => on.has(key),
      toggle,
      jump: onEvidence ?? NOTHING,
      showRaw: NOTHING,
      triesOf: () => NO_TRIES,
      entryAt: NOTHING,
    }),
    [trajectoryId, on, toggle, onEvidence, evidence],
  );
  return <ReaderProvider value={value}>{children}</ReaderProvider>;
}
