// @vitest-environment happy-dom
import { useVirtualizer } from "@tanstack/react-virtual";
import { cleanup, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useMeasureAnew } from "./use-measure-anew";

const REAL = 100;
const ESTIMATE = 10;

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(REAL);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Five entries that are all in the page and keep their height, whatever the look. */
function List({ look }: { look: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: 5,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    overscan: 5,
    observeElementRect: (_, tell) => tell({ width: 1000, height: 900 }),
  });
  useMeasureAnew(virtualizer, scroller, look);
  return (
    <div ref={scroller}>
      <output>{virtualizer.getTotalSize()}</output>
      {virtualizer.getVirtualItems().map((item) => (
        <div key={item.key} data-index={item.index} ref={virtualizer.measureElement} />
      ))}
    </div>
  );
}

test("entries that keep their height still count with it after a change of look", () => {
  const { rerender } = render(<List look="both" />);
  expect(screen.getByRole("status").textContent).toBe(String(5 * REAL));
  rerender(<List look="accepted" />);
  expect(screen.getByRole("status").textContent).toBe(String(5 * REAL));
});
