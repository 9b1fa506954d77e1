"use client";
import type { Virtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef } from "react";

/**
 * Forgets the heights of all entries when `look` changes, and reads those that are in the page again at once: what keeps
 * its height tells no observer, and would count with its estimate, so that places no longer fit what is seen.
 */
export function useMeasureAnew(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  scroller: React.RefObject<HTMLDivElement | null>,
  look: string,
): void {
  const drawn = useRef(look);
  useLayoutEffect(() => {
    if (drawn.current === look) return;
    drawn.current = look;
    virtualizer.measure();
    // Counted with estimates first: a height is kept only where it differs from what counts.
    virtualizer.getTotalSize();
    for (const element of scroller.current?.querySelectorAll<HTMLElement>("[data-index]") ?? [])
      virtualizer.resizeItem(Number(element.dataset.index), element.offsetHeight);
  }, [virtualizer, scroller, look]);
}
