import type { EntryView } from "@/components/reader/types";
import type { Progress } from "@/lib/review/serve/progress";
import type { OwnAnswer } from "@/lib/review/serve/view";
import type { Question } from "@/lib/review/types";

/** An item as the seat shows it. */
export interface SeatItem {
  itemId: number;
  position: number;
  question: Question;
  trajectoryId: number;
  /** Entries asked about, both ends included. */
  from: number;
  to: number;
  /** Last entry that may be read before the answer. */
  last: number;
  asks: { name: string; definition: string; excludes: string[] } | null;
  /** What was asked of the policy, where it is not among `entries`. */
  task: EntryView | null;
  /** A few entries before the subject, and the subject. */
  entries: EntryView[];
  own: OwnAnswer | null;
  /** What others and models say may be asked for. */
  open: boolean;
  /** End of the lease; null when the item is not in hand. */
  until: number | null;
}

/** What comes next for a rater. */
export interface NextView {
  next:
    | { state: "item"; item: SeatItem }
    | { state: "finished" }
    | { state: "waiting"; items: number; from: number }
    | { state: "closed" };
  progress: Progress;
  /** Version of the newest guideline. */
  guideline: number;
}

/** Answer to an answer: what became of it, and what comes next. */
export interface AnsweredView extends NextView {
  answered: { answerId: number; repeated: boolean; extra: boolean; tooFast: boolean };
}

/** An error type as it is offered. */
export interface OfferedType {
  id: number;
  name: string;
  definition: string;
  excludes: string[];
  example: string | null;
}
