"use client";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchWindow, keys, WINDOW } from "./fetching";
import type { EntryView } from "./types";

export interface Entries {
  get: (index: number) => EntryView | undefined;
  /** A window that could not be fetched, with a way to try again. */
  failed: { message: string; retry: () => void } | null;
}

const KEEP_MS = 5 * 60_000;

/** Entries around the visible range, fetched by window and kept for a while. `first` came with the page. */
export function useEntries(
  trajectoryId: number,
  from: number,
  to: number,
  count: number,
  first: { window: number; entries: EntryView[] } | null,
): Entries {
  const last = Math.max(0, Math.ceil(count / WINDOW) - 1);
  const low = Math.max(0, Math.floor(from / WINDOW) - (from % WINDOW < WINDOW / 4 ? 1 : 0));
  const high = Math.min(last, Math.floor(to / WINDOW) + (to % WINDOW > (WINDOW * 3) / 4 ? 1 : 0));
  const windows = count === 0 ? [] : Array.from({ length: Math.max(1, high - low + 1) }, (_, i) => low + i);
  const results = useQueries({
    queries: windows.map((window) => ({
      // A window that grew is another window.
      queryKey: keys.window(trajectoryId, window, Math.min(WINDOW, count - window * WINDOW)),
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchWindow(trajectoryId, window, signal),
      initialData: first?.window === window ? first.entries : undefined,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: KEEP_MS,
    })),
    combine: (all) => all.map(({ data, error, refetch }) => ({ data, error, refetch })),
  });
  return useMemo(() => {
    const byIndex = new Map<number, EntryView>();
    for (const result of results) for (const entry of result.data ?? []) byIndex.set(entry.index, entry);
    const bad = results.find((r) => r.error);
    return {
      get: (index) => byIndex.get(index),
      failed: bad?.error ? { message: bad.error.message, retry: () => void bad.refetch() } : null,
    };
  }, [results]);
}
