import type { z } from "zod";
import type { Db } from "@/db/client";
import type { Actor, Role } from "@/lib/people/actor";

/** Groups of operations, in the order they are shown. */
export const TAGS = {
  index: "What the index holds",
  trajectories: "Read trajectories, steps and error steps",
  misbehaviors: "Taxonomies and their misbehaviors",
  prefixes: "Prefixes: list, draw, rerun",
  environments: "Environments",
  policies: "Checkpoints of policies, and models behind endpoints",
  profiles: "Profile a policy, localize stored steps",
  measurements: "Misbehavior rates and scores",
  trainings: "Recipes and trainings",
  review: "Review queues",
  jobs: "Jobs",
  import: "Import trajectories",
} as const;
export type Tag = keyof typeof TAGS;

type Empty = Record<string, never>;
type Out<S> = S extends z.ZodType ? z.output<S> : Empty;

/** What an operation is called with: parsed by its own schemas, by somebody who has its role. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  db: Db;
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  /** For bodies that are read as they come. */
  request: Request;
}

/**
 * One operation of the API. The schemas are what parses and what the description (openapi.json) is made from, so that both
 * say the same. `response` null: the answer is no JSON, `answers` names its type.
 */
export interface Operation {
  id: string;
  method: "GET" | "POST";
  /** Below /api/v1; parameters in braces. */
  path: string;
  tag: Tag;
  /** The least role that may call it. */
  role: Role;
  summary: string;
  /** More than the summary says: limits, what happens next. */
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body is bytes, read by the operation itself. */
  bytes?: true;
  response: z.ZodType | null;
  answers?: string;
  /** 202: something was queued; 201: something was made. */
  status?: 200 | 201 | 202;
  run: (call: Call) => unknown;
}

/** States an operation; the value it answers with must fit its response. */
export function operation<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | null = null,
>(
  stated: Omit<Operation, "params" | "query" | "body" | "response" | "run"> & {
    params?: P;
    query?: Q;
    body?: B;
    response: R;
    run: (
      call: Call<Out<P>, Out<Q>, Out<B>>,
    ) => R extends z.ZodType ? z.input<R> | Promise<z.input<R>> : Response | Promise<Response>;
  },
): Operation {
  return stated as unknown as Operation;
}
