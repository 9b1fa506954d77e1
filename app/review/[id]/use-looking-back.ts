"use client";
import { type RefObject, useCallback } from "react";
import type { OwnRow } from "@/lib/review/serve/progress";
import { callHistory, callItem, callUndo } from "./calls";
import { prefillOf, type Seat, type SeatState } from "./seat-state";

/** What a seat does with answers that are in: takes the last one back, shows old ones, and returns to the present. */
export function useLookingBack(
  queueId: number,
  seat: RefObject<Seat>,
  patch: (part: Partial<SeatState>) => void,
  show: () => void,
) {
  const undo = useCallback(async (): Promise<boolean> => {
    const s = seat.current;
    s.turn++;
    if (s.outbox.length > 0) {
      patch({ refused: "The last answer is still on its way; take it back when it has arrived." });
      return false;
    }
    try {
      const { undone, item, progress } = await callUndo(queueId);
      patch({ progress });
      s.history = null;
      if (!undone || !item) return false;
      if (s.current) s.ahead.unshift(s.current);
      s.ahead = s.ahead.filter((a) => a.item.itemId !== item.itemId);
      s.current = { item, prefill: prefillOf(undone) };
      s.looking = null;
      s.at = -1;
      show();
      return true;
    } catch (error) {
      patch({ refused: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }, [queueId, seat, patch, show]);

  const lookAt = useCallback(
    async (itemId: number) => {
      const s = seat.current;
      const turn = ++s.turn;
      try {
        const { item, revealed } = await callItem(queueId, itemId);
        if (turn !== s.turn) return;
        s.showing++;
        s.looking = { item, revealed, prefill: prefillOf(item.own), again: true, showing: s.showing };
        patch({ refused: null });
        show();
      } catch (error) {
        patch({ refused: error instanceof Error ? error.message : String(error) });
      }
    },
    [queueId, seat, patch, show],
  );

  const history = useCallback(async (): Promise<OwnRow[]> => {
    const s = seat.current;
    s.history ??= (await callHistory(queueId)).rows;
    return s.history;
  }, [queueId, seat]);

  /** Back to the item before (1) or forward (-1), up to the one to be answered. */
  const move = useCallback(
    async (by: 1 | -1) => {
      const s = seat.current;
      const turn = ++s.turn;
      const rows = await history().catch(() => null);
      if (turn !== s.turn) return;
      if (rows === null) return patch({ refused: "Your answers cannot be loaded just now." });
      const at = Math.min(rows.length - 1, Math.max(-1, s.at + by));
      if (at === s.at) return;
      s.at = at;
      const row = rows[at];
      if (row) return lookAt(row.itemId);
      s.looking = null;
      show();
    },
    [seat, history, lookAt, patch, show],
  );

  const present = useCallback(() => {
    const s = seat.current;
    s.turn++;
    if (!s.looking) return;
    s.looking = null;
    s.at = -1;
    show();
  }, [seat, show]);

  return { undo, lookAt, history, move, present };
}
