import type { NewQueue } from "@/lib/review/queue/create";
import type { Question } from "@/lib/review/types";
import type { ListName } from "./lists";
import type { GivenSource } from "./sources";

/** Ways to draw, in the words of the form. */
export const STRATEGIES: { value: NewQueue["draw"]["strategy"]; label: string; note: string }[] = [
  { value: "random", label: "At random", note: "every item stands for all: rates can be corrected by it" },
  { value: "all", label: "Everything", note: "each one there is" },
  { value: "stratified", label: "Balanced by type", note: "as many of each type as there are, rare ones whole" },
  {
    value: "disagreement",
    label: "Where sources differ",
    note: "localizers, annotators, judges or reruns that say different things",
  },
  {
    value: "narrowing",
    label: "Where an interval narrows most",
    note: "types and checkpoints that lack labels, disagreements first",
  },
];
export const SOURCES: Record<ListName, string> = {
  trajectories: "Trajectories, as filtered in their list",
  prefixes: "Prefixes, as filtered in their list",
  ids: "Picked by hand (ids)",
};

/** What stands in the form: numbers as they were typed. */
export interface Fields {
  name: string;
  question: Question;
  list: ListName;
  query: string;
  steps: "flagged" | "all";
  ids: string;
  taxonomyId: number | null;
  evaluationId: number | null;
  strategy: NewQueue["draw"]["strategy"];
  n: string;
  seed: string;
  reserve: string;
  raters: string;
  guideline: string;
  gold: string;
  catches: string;
  blindToOthers: boolean;
  blindToModel: boolean;
  reason: "optional" | "first";
  lease: string;
  norming: boolean;
}

/** A whole number as typed, or what stands for anything else. */
export const whole = (text: string, fallback: number): number => (/^\d+$/.test(text.trim()) ? Number(text) : fallback);

/** The queue that the fields ask for; numbers outside their range are brought into it. */
export const wantedOf = (f: Fields): { source: GivenSource; queue: NewQueue } => ({
  source: { list: f.list, query: f.query, steps: f.steps, ids: f.ids },
  queue: {
    ...{ name: f.name, question: f.question, taxonomyId: f.taxonomyId },
    evaluationId: f.question === "window" ? f.evaluationId : null,
    raters: whole(f.raters, 1),
    mode: f.norming ? "norming" : "queue",
    draw: {
      strategy: f.strategy,
      n: Math.max(1, whole(f.n, 100)),
      seed: whole(f.seed, 1),
      reserve: Math.min(100, whole(f.reserve, 20)) / 100,
    },
    guideline: f.guideline,
    ...{ gold: whole(f.gold, 0), catches: whole(f.catches, 0) },
    ...{ blindToOthers: f.blindToOthers, blindToModel: f.blindToModel, reason: f.reason },
    leaseMinutes: Math.max(1, whole(f.lease, 15)),
  },
});
