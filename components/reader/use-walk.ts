"use client";
import { useCallback, useState } from "react";
import type { Walk } from "./walk";

/** How steps are walked, kept in the address without adding to the history. */
export function useWalk(initial: Walk): [walk: Walk, set: (walk: Walk) => void] {
  const [walk, setWalk] = useState(initial);
  const set = useCallback((next: Walk) => {
    setWalk(next);
    const url = new URL(location.href);
    if (next === "both") url.searchParams.delete("walk");
    else url.searchParams.set("walk", next);
    history.replaceState(history.state, "", url);
  }, []);
  return [walk, set];
}
