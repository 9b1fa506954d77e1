"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { CorrectionView } from "@/db/queries/corrections";
import type { EntryView } from "./types";

/** How much of an entry is shown: its first line, folded long texts, everything. */
export type Detail = "line" | "folded" | "whole";

/** Where find stands: the pattern, and which match is the active one. */
export interface FindState {
  pattern: RegExp | null;
  /** Entry, part and number of the match inside that part. */
  active: { entry: number; part: string; n: number } | null;
}

/** A span that an evidence link pointed at. */
export interface Evidence {
  entry: number;
  part: string;
  start: number;
  end: number;
}

export interface ReaderContextValue {
  trajectoryId: number;
  /** Lines are wrapped. */
  wrap: boolean;
  /** Outputs are shown with their control characters instead of as a terminal. */
  raw: boolean;
  thinking: boolean;
  find: FindState;
  evidence: Evidence | null;
  detailOf: (entry: number) => Detail;
  setDetail: (entry: number, detail: Detail) => void;
  /** Parts that were opened or switched one by one, by "entry:part:what". */
  isOn: (key: string) => boolean;
  toggle: (key: string) => void;
  jump: (entry: number, evidence?: Evidence) => void;
  showRaw: (entry: number) => void;
  /** Tries of a teacher for a rejected step; none for any other entry. */
  triesOf: (entry: number) => CorrectionView[];
  /** Another entry, when it is loaded. */
  entryAt: (entry: number) => EntryView | undefined;
  /** More that can be done with an entry, beside copying its link. */
  actions?: (entry: EntryView) => ReactNode;
}

const Context = createContext<ReaderContextValue | null>(null);
export const ReaderProvider = Context.Provider;

/** The reader an entry is shown in. */
export function useReader(): ReaderContextValue {
  const value = useContext(Context);
  if (!value) throw new Error("An entry is shown outside of a reader.");
  return value;
}
