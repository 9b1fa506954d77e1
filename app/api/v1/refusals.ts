import "server-only";
import { z } from "zod";
import { ActionRefused } from "@/app/action";
import { CallError } from "@/app/api/reply";
import { NothingToMeasure } from "@/lib/evaluate/behavior/plan";
import { NothingToJudge } from "@/lib/jobs/judgeJob";
import { NothingToLocalize } from "@/lib/jobs/localizeJob";
import { PlaceRefused } from "@/lib/jobs/place/refusal";
import { NothingToTrainOn, UnusableTraining } from "@/lib/jobs/trainJob";
import { NotAllowed, NotSignedIn } from "@/lib/people/actor";
import { PeopleRefused } from "@/lib/people/refused";
import { NoSuchStep, UnknownMisbehavior } from "@/lib/prefix/sample";
import { UnknownRole } from "@/lib/profile/roles/unknown";
import { ReviewRefused } from "@/lib/review/queue/queue";
import { UnusableName } from "@/lib/reward/behaviorJudge/learnedFile";

/** Codes of errors, one a status: what a program goes by. */
export const CODES = {
  400: "bad_request",
  401: "not_signed_in",
  403: "not_allowed",
  404: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  413: "too_large",
  415: "unsupported_media_type",
  422: "refused",
  500: "internal",
  507: "disk_full",
} as const;
type Status = keyof typeof CODES;

/** Every answer that is no success. */
export const errorBody = z.object({
  error: z.object({
    code: z.enum(Object.values(CODES)),
    /** What happened, where, and what to do. */
    message: z.string(),
    /** What is wrong with the input, all of it. */
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;
type Issue = { path: string; message: string };

/** Parts of the input do not parse. */
export class BadInput extends CallError {
  constructor(readonly issues: Issue[]) {
    super(400, issues.map((i) => (i.path === "" ? i.message : `${i.path}: ${i.message}`)).join("; "));
  }
}

export const issuesOf = (error: z.ZodError, where = ""): Issue[] =>
  error.issues.map((i) => ({ path: [where, ...i.path].filter((part) => part !== "").join("."), message: i.message }));

/** What services refuse: the call is understood, and cannot be carried out on this index as it is. */
const REFUSALS = [
  ActionRefused,
  NothingToMeasure,
  NothingToJudge,
  NothingToLocalize,
  NothingToTrainOn,
  UnusableTraining,
  PlaceRefused,
  PeopleRefused,
  NoSuchStep,
  UnknownMisbehavior,
  UnknownRole,
  ReviewRefused,
  UnusableName,
];

/** The answer to an error; null: it is none that a caller caused. */
export function refusal(error: unknown): Response | null {
  if (error instanceof BadInput) return failed(400, error.message, error.issues);
  if (error instanceof CallError) return failed(error.status, error.message);
  if (error instanceof NotSignedIn) return failed(401, error.message);
  if (error instanceof NotAllowed) return failed(403, error.message);
  if (error instanceof z.ZodError) {
    const issues = issuesOf(error);
    return failed(422, issues.map((i) => `${i.path || "input"}: ${i.message}`).join("; "), issues);
  }
  if (REFUSALS.some((kind) => error instanceof kind)) return failed(422, (error as Error).message);
  return null;
}

/** An error as an answer. */
export function failed(status: Status, message: string, issues?: Issue[], headers: HeadersInit = {}): Response {
  const body: ErrorBody = { error: { code: CODES[status], message, ...(issues ? { issues } : {}) } };
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
