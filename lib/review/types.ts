import { z } from "zod";

/** What a queue asks: is this step wrong, which types apply, did the misbehavior happen in the window, is the prefix a good example. */
export const QUESTIONS = ["wrong", "types", "window", "prefix"] as const;
export type Question = (typeof QUESTIONS)[number];

/** Answers of each question; ANYWHERE may be given to all. */
export const VERDICTS = {
  wrong: ["wrong", "right"],
  /** `types`: those named apply (none named: it is wrong, and none of them fits); `right`: not an error at all. */
  types: ["types", "right"],
  window: ["yes", "no"],
  prefix: ["good", "bad"],
} as const satisfies Record<Question, readonly string[]>;

/** `environment`: the environment is at fault, not the policy. `skip` is no statement: the item goes to somebody else. */
export const ANYWHERE = ["unsure", "environment", "skip"] as const;

export const QUESTION_NAMES: Record<Question, string> = {
  wrong: "Is this step wrong?",
  types: "Which types apply?",
  window: "Did the misbehavior happen in this window?",
  prefix: "Is this prefix a good training example?",
};

/** An answer as a rater gives it. `types` are ids of error types of the queue's taxonomy version, only with verdict `types`. */
export const answerSchema = z.object({
  verdict: z.enum(["wrong", "right", "types", "yes", "no", "good", "bad", ...ANYWHERE]),
  types: z.array(z.number().int().positive()).max(200).optional(),
  reason: z.string().trim().max(10_000).optional(),
});
export type ReviewAnswerInput = z.infer<typeof answerSchema>;

/** What is known of a gold or catch item. */
export const goldSchema = answerSchema.pick({ verdict: true, types: true });
export type GoldAnswer = z.infer<typeof goldSchema>;

/** How the items were drawn: `n` from `filter`; `reserve` of them at random whatever the strategy. */
export const drawSchema = z.object({
  strategy: z.enum(["all", "random", "stratified", "disagreement", "narrowing"]),
  n: z.number().int().positive(),
  seed: z.number().int().nonnegative().default(1),
  /** Share of the items drawn at random, 0 to 1. */
  reserve: z.number().min(0).max(1).default(0.2),
  /** Of the list the queue came from (its URL's parameters). */
  filter: z.record(z.string(), z.string()).default({}),
});

export const queueSettings = z.object({
  draw: drawSchema,
  /** Raters do not see each other's answers before their own. Off only for training people. */
  blindToOthers: z.boolean().default(true),
  /** Raters do not see what localizer, annotator or judge said before their own answer. */
  blindToModel: z.boolean().default(true),
  /** optional | first (a reason before the verdict). */
  reason: z.enum(["optional", "first"]).default("optional"),
  leaseMinutes: z.number().int().min(1).max(240).default(15),
});
export type QueueSettings = z.infer<typeof queueSettings>;
