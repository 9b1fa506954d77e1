import { z } from "zod";
import { CallError, streamed } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import { count, idParam } from "@/app/api/v1/schemas";
import { filterRecord, sourceOf, sourceSchema } from "@/app/review/sources";
import { all } from "@/db/queries/prepared";
import { exportReview } from "@/lib/review/exchange/export";
import { createQueue, newQueueSchema, planQueue } from "@/lib/review/queue/create";
import { countStandings, standings } from "@/lib/review/settle/unanimous";
import { QUESTIONS } from "@/lib/review/types";

const known = z.object({ mixed: count, available: count });
const wanted = z.strictObject({ source: sourceSchema, queue: newQueueSchema });

export const reviewOperations = [
  operation({
    id: "listReviewQueues",
    method: "GET",
    path: "/review-queues",
    tag: "review",
    role: "annotator",
    summary: "Review queues, newest first, with how their items stand",
    response: z.object({
      queues: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          question: z.enum(QUESTIONS),
          mode: z.string(),
          phase: z.string(),
          raters: count,
          items: count,
          standing: z.object({
            settled: count,
            unanimous: count,
            conflict: count,
            unsure: count,
            waiting: count,
            gold: count,
          }),
        }),
      ),
    }),
    run: ({ db }) => ({
      queues: all<{ id: number }>(db, "select id from review_queue order by id desc").map(({ id }) => {
        const { queue, items } = standings(db, id);
        return { ...queue, items: items.length, standing: countStandings(items) };
      }),
    }),
  }),
  operation({
    id: "planReviewQueue",
    method: "POST",
    path: "/review-queues/plan",
    tag: "review",
    role: "admin",
    summary: "What a queue would hold; writes nothing",
    body: wanted,
    response: z.object({
      population: count,
      split: count,
      labelled: count,
      strata: z.array(z.object({ name: z.string(), label: z.string(), population: count, drawn: count })),
      items: count,
      random: count,
      gold: known,
      catches: known,
      answers: count,
    }),
    run: async ({ db, actor, body }) => planQueue(db, actor, await sourceOf(body.source), body.queue),
  }),
  operation({
    id: "createReviewQueue",
    method: "POST",
    path: "/review-queues",
    tag: "review",
    role: "admin",
    summary: "Make a review queue: a question over a sample of steps, windows or prefixes",
    description:
      "`source.query` is the query string of the list's page (/trajectories, /prefixes); only its filters count.",
    body: wanted,
    status: 201,
    response: z.object({ queueId: z.number(), items: count, random: count, gold: known, catches: known }),
    run: async ({ db, actor, body: { source, queue } }) =>
      createQueue(db, actor, await sourceOf(source), {
        ...queue,
        draw: { ...queue.draw, filter: filterRecord(source) },
      }),
  }),
  operation({
    id: "exportReviewQueue",
    method: "GET",
    path: "/review-queues/{id}/export",
    tag: "review",
    role: "admin",
    summary: "A queue as JSON lines: items, answers and settlements",
    params: idParam,
    query: z.strictObject({
      blind: z.stringbool().default(false).describe("without any answer, to fill in elsewhere"),
    }),
    response: null,
    answers: "application/jsonl",
    run: ({ db, actor, params: { id }, query: { blind } }) => {
      if (!db.$client.prepare("select 1 from review_queue where id = ?").get(id))
        throw new CallError(404, `There is no review queue ${id}.`);
      const lines = exportReview(db, actor, id, { blind });
      const texts = (function* () {
        for (const line of lines) yield `${JSON.stringify(line)}\n`;
      })();
      return new Response(streamed(texts), {
        headers: { "content-type": "application/jsonl; charset=utf-8", "cache-control": "no-store" },
      });
    },
  }),
];
