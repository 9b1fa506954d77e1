import { z } from "zod";
import { nameSchema } from "@/lib/people/name";
import { QUESTIONS } from "@/lib/review/types";

const slugs = z.array(z.string().min(1).max(200)).max(200);
const whole = z.number().int().positive();

/** First line of a file: which queue, and what its answers are given under. */
export const headLine = z.object({
  misstep: z.literal("review"),
  format: z.literal(1),
  queue: z.string(),
  question: z.enum(QUESTIONS),
  /** Version whose types may be named; null where none are. */
  taxonomy: z
    .object({
      name: z.string(),
      version: z.number().int(),
      types: z.array(z.object({ slug: z.string(), name: z.string(), definition: z.string() })).optional(),
    })
    .nullable(),
  guideline: z.object({ version: z.number().int(), text: z.string() }),
  /** Allowed values of `verdict`, for whoever fills them in. */
  verdicts: z.array(z.string()).optional(),
});
export type HeadLine = z.infer<typeof headLine>;

/** An item without anybody's answer, to be answered elsewhere: person, verdict and the rest are filled in. */
export const itemLine = z.object({
  /** Its place in the queue, from 1. */
  item: whole,
  /** What it asks about: id of a step, window or prefix of the index it came from. */
  subject: whole,
  about: z.string().nullable().optional(),
  text: z.string().optional(),
  person: nameSchema.nullish(),
  verdict: z.string().max(20).nullish(),
  /** Slugs of the types that apply, with verdict "types". */
  types: slugs.nullish(),
  reason: z.string().max(10_000).nullish(),
  /** From seeing the item to the answer. */
  seconds: z.number().min(0).max(86_400).nullish(),
});
export type ItemLine = z.infer<typeof itemLine>;

/** An answer of somebody, as an export that is not blind has it. */
export const answerLine = z.object({
  answer: z.object({
    item: whole,
    subject: whole,
    person: nameSchema,
    round: z.number().int().min(1).max(2),
    verdict: z.string().max(20),
    types: slugs.nullish(),
    reason: z.string().max(10_000).nullish(),
    seconds: z.number().min(0).max(86_400).nullish(),
    tooFast: z.boolean().optional(),
    guideline: z.number().int().nullish(),
    /** ISO time. */
    at: z.string().optional(),
  }),
});
export type AnswerLine = z.infer<typeof answerLine>;

/** What holds of an item; for readers, not read again: settling is done where the labels are. */
export const settlementLine = z.object({
  settlement: z.object({
    item: whole,
    subject: whole,
    verdict: z.string(),
    types: slugs.nullish(),
    method: z.string(),
    comment: z.string().nullish(),
    person: z.string().nullish(),
    at: z.string().optional(),
  }),
});
export type SettlementLine = z.infer<typeof settlementLine>;
