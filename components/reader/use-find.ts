"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { matcher } from "@/lib/text/find";
import type { FindState } from "./context";
import { fetchFind, keys } from "./fetching";
import type { FindResult } from "./types";

const TYPING_MS = 200;

/** The nth match over all hits. */
function place(result: FindResult, n: number): FindState["active"] {
  let left = n;
  for (const [entry, part, count] of result.hits) {
    if (left < count) return { entry, part, n: left };
    left -= count;
  }
  return null;
}

/** Number of the first match at or after an entry; 0 when all lie before. */
function firstFrom(result: FindResult, from: number): number {
  let n = 0;
  for (const [entry, , count] of result.hits) {
    if (entry >= from) return n;
    n += count;
  }
  return 0;
}

export interface Find {
  open: boolean;
  query: string;
  setQuery: (query: string) => void;
  show: () => void;
  close: () => void;
  move: (by: 1 | -1) => void;
  state: FindState;
  /** Number of the active match from 0, of how many. */
  at: number;
  total: number;
  capped: boolean;
  status: "idle" | "looking" | "done" | "failed";
}

/** Find over everything a trajectory shows. `current` is where reading stands; `jump` goes to a match. */
export function useFind(
  trajectoryId: number,
  initial: string,
  current: () => number,
  jump: (entry: number) => void,
): Find {
  const [open, setOpen] = useState(initial !== "");
  const [query, setQuery] = useState(initial);
  const [settled, setSettled] = useState(initial);
  const [at, setAt] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), TYPING_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const wanted = open ? settled : "";
  const result = useQuery({
    queryKey: keys.find(trajectoryId, wanted),
    queryFn: ({ signal }) => fetchFind(trajectoryId, wanted, signal),
    enabled: wanted !== "",
  });
  const { data } = result;
  const active = useMemo(() => (data && wanted !== "" ? place(data, at) : null), [data, wanted, at]);
  // A new result starts at the match nearest to where reading stands. The callbacks change with every scroll.
  const [seen, setSeen] = useState<FindResult | null>(null);
  useEffect(() => {
    if (!data || data === seen || wanted === "") return;
    setSeen(data);
    const start = firstFrom(data, current());
    setAt(start);
    const first = place(data, start);
    if (first) jump(first.entry);
  }, [data, seen, wanted, current, jump]);
  const state = useMemo<FindState>(
    () => ({ pattern: wanted === "" ? null : matcher(wanted), active }),
    [wanted, active],
  );
  return {
    open,
    query,
    setQuery,
    show: () => setOpen(true),
    close: () => setOpen(false),
    move: (by) => {
      if (!data || data.total === 0) return;
      const next = (at + by + data.total) % data.total;
      setAt(next);
      const match = place(data, next);
      if (match) jump(match.entry);
    },
    state,
    at,
    total: data && wanted !== "" ? data.total : 0,
    capped: data?.capped ?? false,
    status: wanted === "" ? "idle" : result.isError ? "failed" : data ? "done" : "looking",
  };
}
