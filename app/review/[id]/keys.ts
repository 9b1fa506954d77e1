import type { OfferedType } from "@/app/review/types";
import { saidText } from "@/lib/review/names";
import type { Question, ReviewAnswerInput } from "@/lib/review/types";

/** One thing a rater can say, with its key. */
export interface Choice {
  key: string;
  label: string;
  /** What it means, for the ones that need it. */
  note?: string | undefined;
  /** Set: a type that is switched on and off, and given with Enter. Else the verdict is given at once. */
  typeId?: number;
  answer?: ReviewAnswerInput;
  tone: "bad" | "good" | "neutral";
}

/** Keys that do something else than answer. */
export const COMMANDS = { undo: "u", back: "b", forward: "f", jump: "g", note: "n", context: "x", help: "?" } as const;

const ALWAYS: Choice[] = [
  { key: "q", label: "Unsure", note: "I cannot tell", answer: { verdict: "unsure" }, tone: "neutral" },
  {
    ...{ key: "e", label: "Environment at fault", note: "not the policy's doing" },
    ...{ answer: { verdict: "environment" }, tone: "neutral" as const },
  },
  { key: "s", label: "Skip", note: "somebody else gets it", answer: { verdict: "skip" }, tone: "neutral" },
];

const TWO: Record<Exclude<Question, "types">, [Choice, Choice]> = {
  wrong: [
    { key: "1", label: "Wrong", answer: { verdict: "wrong" }, tone: "bad" },
    { key: "2", label: "Right", answer: { verdict: "right" }, tone: "good" },
  ],
  window: [
    { key: "1", label: "Yes, it happened", answer: { verdict: "yes" }, tone: "bad" },
    { key: "2", label: "No", answer: { verdict: "no" }, tone: "good" },
  ],
  prefix: [
    { key: "1", label: "Good example", answer: { verdict: "good" }, tone: "good" },
    { key: "2", label: "Bad example", answer: { verdict: "bad" }, tone: "bad" },
  ],
};

const TAKEN = new Set<string>([...Object.values(COMMANDS), ...ALWAYS.map((c) => c.key), "0", "r"]);
/** Keys of types in order: 1 to 9, then the letters that mean nothing else, then those with Shift. */
const TYPE_KEYS = [..."123456789", ..."acdhijklmoptvwyz", ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((k) => !TAKEN.has(k));

/** Everything a rater can say to a question. Types beyond the keys there are can be chosen by pointer or Tab. */
export function choicesOf(question: Question, types: readonly OfferedType[]): Choice[] {
  if (question !== "types") return [...TWO[question], ...ALWAYS];
  return [
    ...types.map(
      (type, i): Choice => ({
        ...{ key: TYPE_KEYS[i] ?? "", label: type.name, note: type.definition },
        ...{ typeId: type.id, tone: "bad" },
      }),
    ),
    {
      ...{ key: "0", label: "None of these fits", note: "it is wrong in another way" },
      ...{ answer: { verdict: "types", types: [] }, tone: "neutral" as const },
    },
    { key: "r", label: "Not an error", answer: { verdict: "right" }, tone: "good" },
    ...ALWAYS,
  ];
}

/** A verdict in words, its types by name, for histories and announcements. */
export const verdictText = (verdict: string, types: readonly string[] = []): string =>
  saidText({ verdict, types: types.map((_, i) => i) }, Object.fromEntries(types.entries()));
