"use client";
import type { Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";

const SETTLE_MS = 2_500;
const QUIET_FRAMES = 20;
const TOP = 4;

/** A mark inside the entry that must be in view; else the entry's top is. */
const MARKS = '[data-hit="active"], [data-evidence]';

/**
 * Goes to an entry and stays on it while heights above and inside are still becoming known: until it is at rest, the
 * person scrolls, or a while has passed.
 */
export function usePin(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  scroller: React.RefObject<HTMLDivElement | null>,
) {
  const frame = useRef(0);
  const moving = useRef(false);
  const stop = useCallback(() => {
    cancelAnimationFrame(frame.current);
    moving.current = false;
  }, []);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const events = ["wheel", "touchmove", "pointerdown"] as const;
    for (const event of events) box.addEventListener(event, stop, { passive: true });
    return () => {
      stop();
      for (const event of events) box.removeEventListener(event, stop);
    };
  }, [scroller, stop]);
  const pin = useCallback(
    (index: number, toMark: boolean) => {
      stop();
      moving.current = true;
      const until = performance.now() + SETTLE_MS;
      let quiet = 0;
      const step = () => {
        const box = scroller.current;
        if (!box) return;
        const element = box.querySelector<HTMLElement>(`[data-index="${index}"]`);
        const wanted = element ? wantedTop(box, element, toMark) : virtualizer.getOffsetForIndex(index, "start")?.[0];
        if (wanted !== undefined && Math.abs(box.scrollTop - wanted) > 1.5) {
          const before = box.scrollTop;
          box.scrollTop = wanted;
          quiet = Math.abs(box.scrollTop - before) < 1 ? quiet + 1 : 0;
        } else quiet++;
        const loaded = element?.dataset.loaded === "true";
        if (performance.now() < until && (quiet < QUIET_FRAMES || !loaded)) frame.current = requestAnimationFrame(step);
        else moving.current = false;
      };
      frame.current = requestAnimationFrame(step);
    },
    [scroller, stop, virtualizer],
  );
  return { pin, moving };
}

function wantedTop(box: HTMLElement, element: HTMLElement, toMark: boolean): number {
  const frame = box.getBoundingClientRect();
  const top = box.scrollTop + element.getBoundingClientRect().top - frame.top - TOP;
  const mark = toMark ? element.querySelector(MARKS) : null;
  if (!mark) return Math.max(0, Math.min(top, box.scrollHeight - box.clientHeight));
  const at = mark.getBoundingClientRect();
  const markTop = box.scrollTop + at.top - frame.top;
  // With the entry's head in view if both fit, else the mark in the upper third.
  const wanted = markTop + at.height - top < box.clientHeight * 0.75 ? top : markTop - box.clientHeight / 3;
  return Math.max(0, Math.min(wanted, box.scrollHeight - box.clientHeight));
}
