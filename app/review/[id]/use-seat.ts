"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import type { NextView } from "@/app/review/types";
import type { Progress } from "@/lib/review/serve/progress";
import type { ReviewAnswerInput } from "@/lib/review/types";
import { callAnswer, callLetGo, callNext, callRenew, Refused, Unreachable } from "./calls";
import { readOutbox, retryAfter, writeOutbox } from "./outbox";
import { EMPTY, emptySeat, type SeatState } from "./seat-state";
import { useLookingBack } from "./use-looking-back";

let serial = 0;
const newKey = (): string =>
  globalThis.crypto?.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}-${++serial}`;

/** Items kept ready behind the one on screen. */
const AHEAD = 1;
const WAIT_MS = 10_000;

/**
 * The annotator's seat: what is on screen, what is kept ready, what is on its way. An answer is kept in the browser until
 * the server has confirmed it, and sent again with the same key, so that none is lost or doubled.
 */
export function useSeat(
  queueId: number,
  personId: number,
  leaseMinutes: number,
  first: { progress: Progress; guideline: number },
) {
  const [state, setState] = useState<SeatState>({
    ...{ shown: null, end: null, unsent: 0, offline: false, lost: false, refused: null, failed: null },
    ...first,
  });
  const patch = useCallback((part: Partial<SeatState>) => setState((s) => ({ ...s, ...part })), []);
  const seat = useRef(emptySeat());

  const show = useCallback(() => {
    const s = seat.current;
    const before = s.showing;
    if (s.looking) return patch({ shown: s.looking, end: null });
    if (s.current) {
      s.showing = before + 1;
      s.shownAt = performance.now();
      s.hiddenMs = 0;
      s.hiddenSince = document.hidden ? performance.now() : null;
      const { item, prefill } = s.current;
      return patch({
        shown: { item, prefill, again: false, revealed: null, showing: s.showing },
        ...{ end: null, lost: false, failed: null },
      });
    }
    patch({ shown: null, end: s.end });
  }, [patch]);

  const inHand = useCallback(
    () => [seat.current.current, ...seat.current.ahead].flatMap((x) => (x ? [x.item.itemId] : [])),
    [],
  );

  const take = useCallback(
    ({ next, progress, guideline }: NextView) => {
      const s = seat.current;
      patch({ progress, guideline });
      if (next.state !== "item") {
        s.end = next;
      } else {
        s.end = null;
        const { itemId } = next.item;
        // A slow reply may bring what is here already, or what was answered meanwhile.
        const here = inHand().includes(itemId) || s.outbox.some((p) => p.itemId === itemId);
        if (!here) s.ahead.push({ item: next.item, prefill: EMPTY });
      }
      if (s.current === null) {
        s.current = s.ahead.shift() ?? null;
        show();
      }
    },
    [inHand, patch, show],
  );

  const later = useCallback((ms: number, run: () => void) => {
    clearTimeout(seat.current.timer);
    seat.current.timer = setTimeout(() => {
      if (seat.current.alive) run();
    }, ms);
  }, []);

  const work = useRef<() => Promise<void>>(async () => undefined);

  const failed = useCallback(
    (error: unknown) => {
      const s = seat.current;
      if (error instanceof Refused) {
        patch({ failed: error.message, offline: false });
        return;
      }
      if (!(error instanceof Unreachable)) throw error;
      s.failures++;
      patch({ offline: true });
      later(retryAfter(s.failures), () => void work.current());
    },
    [later, patch],
  );

  /** Sends what is unsent, one at a time, then sees to it that an item is ready. */
  useEffect(() => {
    work.current = async () => {
      const s = seat.current;
      if (s.sending || s.pulling) return;
      const keep = () => {
        writeOutbox(
          localStorage,
          queueId,
          personId,
          s.outbox.map(({ item: _, ...pending }) => pending),
        );
        patch({ unsent: s.outbox.length });
      };
      s.sending = true;
      try {
        while (s.outbox[0]) {
          const { item: _, ...head } = s.outbox[0];
          try {
            const view = await callAnswer(queueId, head, inHand());
            s.outbox = s.outbox.filter((p) => p.key !== head.key);
            s.failures = 0;
            s.history = null;
            keep();
            patch({ offline: false });
            take(view);
          } catch (error) {
            // What the server refuses it refuses again; without a person it waits for one.
            if (!(error instanceof Refused) || error.status === 403) throw error;
            s.outbox = s.outbox.filter((p) => p.key !== head.key);
            keep();
            patch({ refused: `An answer was not taken: ${error.message}.`, offline: false });
          }
        }
      } catch (error) {
        failed(error);
        return;
      } finally {
        s.sending = false;
      }
      if (s.ahead.length >= AHEAD || (s.end !== null && s.end.state !== "waiting" && s.current === null)) return;
      if (s.end !== null && s.current !== null) return;
      s.pulling = true;
      try {
        take(await callNext(queueId, inHand()));
        s.failures = 0;
        patch({ offline: false });
      } catch (error) {
        failed(error);
        return;
      } finally {
        s.pulling = false;
      }
      if (s.outbox.length > 0) return work.current();
      if (s.end?.state === "waiting" && s.current === null)
        later(Math.max(1000, Math.min(WAIT_MS, s.end.from - Date.now() + 250)), () => void work.current());
      else if (s.ahead.length < AHEAD && s.end === null) return work.current();
    };
  }, [queueId, personId, inHand, take, patch, failed, later]);

  useEffect(() => {
    const s = seat.current;
    s.alive = true;
    s.outbox = readOutbox(localStorage, queueId, personId);
    patch({ unsent: s.outbox.length });
    void work.current();
    const again = () => {
      s.failures = 0;
      void work.current();
    };
    const visibility = () => {
      if (document.hidden) s.hiddenSince = performance.now();
      else if (s.hiddenSince !== null) {
        s.hiddenMs += performance.now() - s.hiddenSince;
        s.hiddenSince = null;
      }
    };
    const renew = async () => {
      const held = inHand();
      if (held.length === 0) return;
      try {
        const { lost } = await callRenew(queueId, held);
        s.ahead = s.ahead.filter((a) => !lost.includes(a.item.itemId));
        if (s.current) patch({ lost: lost.includes(s.current.item.itemId) });
      } catch {
        // The next beat or the next answer tells; an ended lease loses no answer.
      }
    };
    const beat = setInterval(() => void renew(), (leaseMinutes * 60_000) / 3);
    const leave = () => {
      const unseen = s.ahead.map((a) => a.item.itemId);
      if (unseen.length > 0) void callLetGo(queueId, unseen).catch(() => undefined);
    };
    const wake = () => {
      visibility();
      if (!document.hidden) void renew();
    };
    addEventListener("online", again);
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", wake);
    return () => {
      s.alive = false;
      clearTimeout(s.timer);
      clearInterval(beat);
      removeEventListener("online", again);
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", wake);
    };
  }, [queueId, personId, leaseMinutes, inHand, patch]);

  const submit = useCallback(
    (answer: ReviewAnswerInput) => {
      const s = seat.current;
      const item = s.looking?.item ?? s.current?.item;
      if (!item) return;
      s.turn++;
      const hidden = s.hiddenMs + (s.hiddenSince === null ? 0 : performance.now() - s.hiddenSince);
      const durationMs = s.looking ? null : Math.max(0, Math.round(performance.now() - s.shownAt - hidden));
      s.outbox.push({ itemId: item.itemId, key: newKey(), answer, durationMs, item });
      writeOutbox(
        localStorage,
        queueId,
        personId,
        s.outbox.map(({ item: _, ...pending }) => pending),
      );
      patch({ unsent: s.outbox.length, refused: null });
      if (s.looking) {
        s.looking = null;
        s.at = -1;
      } else s.current = s.ahead.shift() ?? null;
      show();
      void work.current();
    },
    [queueId, personId, patch, show],
  );

  const back = useLookingBack(queueId, seat, patch, show);

  /** Lets go of the item on screen and takes another. */
  const letGo = useCallback(async () => {
    const s = seat.current;
    if (!s.current) return;
    const { itemId } = s.current.item;
    s.current = s.ahead.shift() ?? null;
    show();
    await callLetGo(queueId, [itemId]).catch(() => undefined);
    void work.current();
  }, [queueId, show]);

  const retry = useCallback(() => {
    seat.current.failures = 0;
    seat.current.end = null;
    patch({ failed: null, end: null });
    void work.current();
  }, [patch]);

  return { state, submit, letGo, retry, ...back };
}
export type SeatActions = Omit<ReturnType<typeof useSeat>, "state">;
