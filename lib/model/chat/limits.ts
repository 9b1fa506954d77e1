import "server-only";
import PQueue from "p-queue";
import type { Endpoint } from "./settings";

const lines = new Map<string, { queue: PQueue; perMinute: number | undefined }>();

/**
 * The one line in front of an endpoint, shared by all callers of this process: at most `concurrency` tries at once and,
 * with a rate, tries spaced evenly over the minute. Changed settings hold from the next try on.
 */
export function lineOf(endpoint: Endpoint): PQueue {
  const id = `${endpoint.name} ${endpoint.baseUrl}`;
  const perMinute = endpoint.requestsPerMinute;
  let line = lines.get(id);
  if (!line || line.perMinute !== perMinute) {
    // Strict: a sliding window. Fixed ones let two tries out at once where a timer was late.
    const spaced = perMinute === undefined ? {} : { intervalCap: 1, interval: 60_000 / perMinute, strict: true };
    line = { queue: new PQueue({ concurrency: endpoint.concurrency, ...spaced }), perMinute };
    lines.set(id, line);
  }
  line.queue.concurrency = endpoint.concurrency;
  return line.queue;
}
