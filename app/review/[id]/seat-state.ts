import type { NextView, SeatItem } from "@/app/review/types";
import type { OwnRow, Progress } from "@/lib/review/serve/progress";
import type { Revealed } from "@/lib/review/serve/reveal";
import type { Pending } from "./outbox";

/** What a panel starts with: empty, or what was said before. */
export interface Prefill {
  verdict: string | null;
  types: number[];
  reason: string;
}
/** Nothing said yet. */
export const EMPTY: Prefill = { verdict: null, types: [], reason: "" };

/** An item on screen. */
export interface Shown {
  item: SeatItem;
  prefill: Prefill;
  /** Looked at again: the own answer is in, and may be changed. */
  again: boolean;
  revealed: Revealed | null;
  /** Changes with each showing. */
  showing: number;
}

export type End = Exclude<NextView["next"], { state: "item" }>;

export interface SeatState {
  shown: Shown | null;
  /** Why there is no item, when there is none. null: it is being fetched. */
  end: End | null;
  progress: Progress;
  guideline: number;
  /** Answers the server has not confirmed. */
  unsent: number;
  /** The last call got no answer. */
  offline: boolean;
  /** The lease of the item on screen has ended and others have its places. */
  lost: boolean;
  /** What was refused, until the next answer. */
  refused: string | null;
  /** Nothing can be loaded and there is nothing to show. */
  failed: string | null;
}

/** An item in hand and what its panel starts with. */
interface InHand {
  item: SeatItem;
  prefill: Prefill;
}

/** What the callbacks of a seat work on; SeatState is what is drawn of it. */
export interface Seat {
  current: InHand | null;
  /** Kept ready behind it. */
  ahead: InHand[];
  /** Answers the server has not confirmed, oldest first. */
  outbox: (Pending & { item?: SeatItem })[];
  end: End | null;
  /** An old answer that is looked at. */
  looking: Shown | null;
  /** Own answers, newest first; null: not loaded since the last change. */
  history: OwnRow[] | null;
  /** Place in the history of what is looked at; -1: none. */
  at: number;
  /** Rises with whatever changes the screen: a look at an old answer that arrives after it is not shown. */
  turn: number;
  sending: boolean;
  pulling: boolean;
  /** Calls without an answer, in a row. */
  failures: number;
  shownAt: number;
  /** Milliseconds since then in which the page was not visible. */
  hiddenMs: number;
  hiddenSince: number | null;
  showing: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  alive: boolean;
}

/** A seat with nothing on screen yet. */
export const emptySeat = (): Seat => ({
  ...{ current: null, ahead: [], outbox: [], end: null, looking: null, history: null, at: -1, turn: 0 },
  ...{ sending: false, pulling: false, failures: 0, shownAt: 0, hiddenMs: 0, hiddenSince: null, showing: 0 },
  ...{ timer: undefined, alive: true },
});

/** What the panel of an item starts with that was answered. */
export const prefillOf = (own: { verdict: string; types: number[]; reason: string | null } | null): Prefill =>
  own ? { verdict: own.verdict, types: own.types, reason: own.reason ?? "" } : EMPTY;
