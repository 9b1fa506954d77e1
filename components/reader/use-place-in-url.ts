"use client";
import { useEffect, useRef } from "react";

const URL_MS = 250;

/** Keeps the address on the entry that is read, without adding to the history. Gives the entry written last. */
export function usePlaceInUrl(
  current: number,
  start: number,
  moving: React.RefObject<boolean>,
  numberOf: (entry: number) => number | null,
): React.RefObject<number> {
  const written = useRef(start);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const write = () => {
      if (written.current === current) return;
      if (moving.current) {
        timer = setTimeout(write, URL_MS);
        return;
      }
      written.current = current;
      const url = new URL(location.href);
      url.searchParams.delete("step");
      url.searchParams.delete("entry");
      const number = numberOf(current);
      if (number !== null) url.searchParams.set("step", String(number));
      else if (current > 0) url.searchParams.set("entry", String(current));
      history.replaceState(history.state, "", url);
    };
    timer = setTimeout(write, URL_MS);
    return () => clearTimeout(timer);
  }, [current, moving, numberOf]);
  return written;
}
