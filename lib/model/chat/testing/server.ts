import http from "node:http";
import type { AddressInfo } from "node:net";
import { randomOf } from "@/lib/environment/suite/draw";
import type { CallUsage, ToolCall } from "@/lib/model/chat/types";

/** What a scripted model says. Absent usage: counts made up from the lengths of the texts; null: the server does not say. */
export interface Answer {
  text?: string;
  thinking?: string;
  calls?: ToolCall[];
  /** In the words of ChatReply.finish; default stop, or tool-calls where there are any. */
  finish?: "stop" | "length" | "tool-calls";
  usage?: CallUsage | null;
}

/** A way in which a server lets a caller down. */
export type ServerFault =
  /** A status with the protocol's error object, or `body` as it is. */
  | { kind: "status"; status: number; headers?: Record<string, string>; message?: string; body?: string }
  /** Says nothing for `ms`, or sends its body in pieces over that time; then answers rightly. */
  | { kind: "slow"; ms: number; part?: "head" | "body" }
  /** Closes the connection: before the head, or in the middle of the body. */
  | { kind: "cut"; part: "head" | "body" }
  /** Status 200 with a body that is no JSON. */
  | { kind: "malformed"; body?: string }
  /** Status 200, in form, but without any reply in it. */
  | { kind: "empty" }
  /** A right answer without token counts. */
  | { kind: "no-usage" };

/** Faults drawn by a seed when a share is given: each a server's real way to fail, none of them slow. */
export const COMMON_FAULTS: ServerFault[] = [
  { kind: "status", status: 429, headers: { "retry-after": "1" } },
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "cut", part: "head" },
  { kind: "cut", part: "body" },
  { kind: "malformed" },
  { kind: "empty" },
];

/** A request that was in order. */
export interface Asked<Body> {
  /** From 0, in the order of arrival, faults included. */
  number: number;
  headers: http.IncomingHttpHeaders;
  path: string;
  body: Body;
  /** System and user texts, replies and tool results, in order: what a scripted answer looks at. */
  texts: string[];
}

/** One protocol, from the server's side. */
export interface Protocol<Body> {
  /** Checks a request strictly; throws WireError with what is wrong in it. */
  read(request: { path: string; headers: http.IncomingHttpHeaders; json: unknown }): { body: Body; texts: string[] };
  reply(body: Body, answer: Answer, usage: CallUsage | null): object;
  /** An answer in form with nothing in it. */
  empty(): object;
  error(status: number, message: string): object;
}

/** A request that is not as the protocol says. */
export class WireError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface ScriptedOptions<Body> {
  answer?: (asked: Asked<Body>) => Answer | string | Promise<Answer | string>;
  /** Fault of the request of each number; null and past the end: none. */
  script?: (ServerFault | null)[];
  /** Faults at random, the same for the same seed and order of requests. */
  faults?: { seed: number | string; share: number; kinds?: ServerFault[] };
}

export interface ScriptedServer<Body> {
  /** http://127.0.0.1:PORT */
  origin: string;
  /** Every request that was in order, also those that were then let down. */
  requests: Asked<Body>[];
  /** What was wrong with requests that were not: a test expects it to be empty. */
  refused: string[];
  /** What was said in answers that were sent whole and with counts. */
  tally: { answers: number; input: number; cached: number; output: number; reasoning: number };
  close(): Promise<void>;
}

const madeUp = (texts: string[], answer: Answer): CallUsage => ({
  input: 7 + texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0),
  cached: 0,
  output: 3 + Math.ceil(((answer.text ?? "").length + (answer.thinking ?? "").length) / 4),
  reasoning: Math.ceil((answer.thinking ?? "").length / 4),
});

/** A real HTTP server on 127.0.0.1 that speaks a chat protocol, answers as it is told and fails as it is told. */
export async function scriptedServer<Body>(
  protocol: Protocol<Body>,
  options: ScriptedOptions<Body> = {},
): Promise<ScriptedServer<Body>> {
  const tally = { answers: 0, input: 0, cached: 0, output: 0, reasoning: 0 };
  const requests: Asked<Body>[] = [];
  const refused: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const random = options.faults && randomOf(`scripted server\0${options.faults.seed}`);
  const draw = (number: number): ServerFault | null => {
    const { faults, script } = options;
    if (faults && random && random() < faults.share) {
      const kinds = faults.kinds ?? COMMON_FAULTS;
      return kinds[Math.floor(random() * kinds.length)] ?? null;
    }
    return script?.[number] ?? null;
  };
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });
  const send = (res: http.ServerResponse, status: number, text: string, headers: Record<string, string> = {}) =>
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(text);

  const server = http.createServer(async (req, res) => {
    const parts: Buffer[] = [];
    for await (const part of req as AsyncIterable<Buffer>) parts.push(part);
    const number = requests.length;
    let asked: Asked<Body>;
    try {
      const json = JSON.parse(Buffer.concat(parts).toString("utf8"));
      if (req.method !== "POST") throw new WireError(405, `${req.method} is not POST`);
      const path = req.url ?? "/";
      asked = { number, headers: req.headers, path, ...protocol.read({ path, headers: req.headers, json }) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      refused.push(message);
      const status = error instanceof WireError ? error.status : 400;
      send(res, status, JSON.stringify(protocol.error(status, message)));
      return;
    }
    requests.push(asked);
    const fault = draw(number);
    if (fault?.kind === "status") {
      const text =
        fault.body ?? JSON.stringify(protocol.error(fault.status, fault.message ?? `status ${fault.status}`));
      send(res, fault.status, text, fault.headers);
      return;
    }
    if (fault?.kind === "cut" && fault.part === "head") {
      req.socket.destroy();
      return;
    }
    if (fault?.kind === "malformed") {
      send(res, 200, fault.body ?? '{"choices": [{"message": {"content": "hal');
      return;
    }
    if (fault?.kind === "empty") {
      send(res, 200, JSON.stringify(protocol.empty()));
      return;
    }
    const said = await (options.answer?.(asked) ?? "ok");
    const answer: Answer = typeof said === "string" ? { text: said } : said;
    const silent = fault?.kind === "no-usage" || answer.usage === null;
    const usage = silent ? null : (answer.usage ?? madeUp(asked.texts, answer));
    const text = JSON.stringify(protocol.reply(asked.body, answer, usage));
    if (fault?.kind === "cut") {
      res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      res.write(text.slice(0, text.length / 2), () => req.socket.destroy());
      return;
    }
    if (fault?.kind === "slow" && fault.part === "body") {
      res.writeHead(200, { "content-type": "application/json" });
      for (let piece = 0; piece < 10 && !res.destroyed; piece++) {
        res.write(text.slice((text.length * piece) / 10, (text.length * (piece + 1)) / 10));
        await wait(fault.ms / 10);
      }
      if (res.destroyed) return;
      res.end();
    } else {
      if (fault?.kind === "slow") await wait(fault.ms);
      if (res.destroyed) return;
      send(res, 200, text);
    }
    if (!usage) return;
    tally.answers++;
    tally.input += usage.input ?? 0;
    tally.cached += usage.cached ?? 0;
    tally.output += usage.output ?? 0;
    tally.reasoning += usage.reasoning ?? 0;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refused,
    tally,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
