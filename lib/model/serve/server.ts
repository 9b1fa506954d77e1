import { randomBytes, randomInt, randomUUID } from "node:crypto";
import http from "node:http";
import { randomOf } from "@/lib/environment/suite/draw";
import type { Checkpoint } from "@/lib/model/policy/checkpoint";
import { contextTokens, REPLY_TOKENS } from "@/lib/model/policy/turns";
import type { Sampler } from "@/lib/model/policy/types";
import {
  closingChunks,
  completion,
  type Form,
  type Head,
  openingChunk,
  pieceChunk,
  usageChunk,
  usageOf,
} from "./answer";
import { readConversation } from "./conversation";
import { ApiError } from "./error";
import { type Draw, generate } from "./generate";
import { type ChatRequest, parseRequest } from "./request";

/** Only this machine is served. */
export const SERVE_HOST = "127.0.0.1";
const MAX_BODY = 4 * 1024 * 1024;

export interface Served {
  checkpoint: Checkpoint;
  sampler: Sampler;
  /** Told of every error that is not the client's. */
  onError?: (error: unknown) => void;
}

/**
 * An OpenAI-compatible endpoint over an embedded checkpoint: GET /v1/models and POST /v1/chat/completions. The caller
 * listens on SERVE_HOST, and closes server and sampler.
 */
export function policyServer(served: Served): http.Server {
  const created = seconds();
  return http.createServer((req, res) => {
    answer(served, created, req, res).catch((error: unknown) => {
      const known =
        error instanceof ApiError ? error : new ApiError(500, "the policy failed; the server's output tells");
      if (known !== error) served.onError?.(error);
      if (res.headersSent) res.end(`data: ${JSON.stringify(known.body)}\n\n`);
      else if (!res.destroyed) sendJson(res, known.status, known.body);
    });
  });
}

async function answer(served: Served, created: number, req: http.IncomingMessage, res: http.ServerResponse) {
  checkHost(req);
  const { pathname } = new URL(req.url ?? "/", `http://${SERVE_HOST}`);
  const { name } = served.checkpoint;
  const model = { id: name, object: "model", created, owned_by: "misstep" };
  if (pathname === "/v1/models") {
    allow(req, "GET");
    return sendJson(res, 200, { object: "list", data: [model] });
  }
  if (pathname.startsWith("/v1/models/")) {
    allow(req, "GET");
    checkModel(name, decodeURIComponent(pathname.slice("/v1/models/".length)));
    return sendJson(res, 200, model);
  }
  if (pathname === "/v1/chat/completions") {
    allow(req, "POST");
    const request = parseRequest(await readJson(req));
    checkModel(name, request.model);
    return chat(served, request, res);
  }
  throw new ApiError(404, `there is nothing at ${pathname}; try /v1/models or /v1/chat/completions`);
}

async function chat({ checkpoint, sampler }: Served, request: ChatRequest, res: http.ServerResponse) {
  const { vocabulary, config } = checkpoint;
  const { instruction, turns } = readConversation(request.messages);
  const prompt = contextTokens(vocabulary, instruction, turns);
  const room = config.context - prompt.length;
  if (room < 1)
    throw new ApiError(
      400,
      `the messages are ${prompt.length} tokens; the context of ${checkpoint.name} is ${config.context}, the reply included`,
      "messages",
      "context_length_exceeded",
    );
  const asked = request.max_completion_tokens ?? request.max_tokens ?? REPLY_TOKENS;
  const id = randomUUID();
  const seed = request.seed ?? randomInt(2 ** 47);
  const draws = Array.from(
    { length: request.n ?? 1 },
    (_, index): Draw => ({
      key: `${id} ${index}`,
      prompt,
      maxTokens: Math.min(asked, room),
      temperature: request.temperature ?? 1,
      topP: request.top_p ?? 1,
      random: randomOf(`misstep serve\0${seed}\0${index}`),
      stop: typeof request.stop === "string" ? [request.stop] : (request.stop ?? []),
      top: request.top_logprobs ?? 0,
    }),
  );
  const head: Head = { id: `chatcmpl-${randomBytes(12).toString("hex")}`, created: seconds(), model: checkpoint.name };
  const form: Form = {
    vocabulary,
    logprobs: request.logprobs ?? false,
    tools: (request.tools ?? []).length > 0 && request.tool_choice !== "none",
  };
  // Whoever hangs up needs no more tokens.
  res.on("close", () => {
    for (const draw of draws) sampler.release(draw.key);
  });
  try {
    if (request.stream) await stream(head, form, draws, { checkpoint, sampler }, request, res);
    else {
      const choices = await Promise.all(draws.map((draw) => generate(sampler, checkpoint, draw)));
      const drawn = choices.reduce((sum, choice) => sum + choice.tokens.length, 0);
      sendJson(res, 200, completion(head, choices, form, usageOf(prompt.length, drawn)));
    }
  } catch (error) {
    if (!res.destroyed) throw error;
  }
}

async function stream(
  head: Head,
  form: Form,
  draws: Draw[],
  { checkpoint, sampler }: Served,
  request: ChatRequest,
  res: http.ServerResponse,
) {
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" });
  const send = (part: object) => res.write(`data: ${JSON.stringify(part)}\n\n`);
  const drawn = await Promise.all(
    draws.map(async (draw, index) => {
      send(openingChunk(head, index));
      const choice = await generate(sampler, checkpoint, draw, (piece) => send(pieceChunk(head, index, piece, form)));
      for (const part of closingChunks(head, index, choice, form)) send(part);
      return choice.tokens.length;
    }),
  );
  const total = drawn.reduce((sum, n) => sum + n, 0);
  if (request.stream_options?.include_usage) send(usageChunk(head, usageOf(draws[0]?.prompt.length ?? 0, total)));
  res.end("data: [DONE]\n\n");
}

/** A page in a browser must not reach the endpoint under a name that it made point here. */
function checkHost(req: http.IncomingMessage): void {
  const host = (req.headers.host ?? "").replace(/:\d+$/, "");
  if (!["127.0.0.1", "localhost"].includes(host))
    throw new ApiError(403, `requests go to ${SERVE_HOST} or localhost, not to "${host}"`);
}

function allow(req: http.IncomingMessage, method: string): void {
  if (req.method !== method) throw new ApiError(405, `${req.method} is not allowed here; use ${method}`);
}

function checkModel(served: string, asked: string): void {
  if (served !== asked)
    throw new ApiError(404, `there is no model "${asked}"; this server has "${served}"`, "model", "model_not_found");
}

async function readJson(req: http.IncomingMessage): Promise<unknown> {
  // Other types can be sent by any web page without asking first.
  if (!(req.headers["content-type"] ?? "").startsWith("application/json"))
    throw new ApiError(415, "the content type must be application/json");
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) throw new ApiError(413, `the body is larger than ${MAX_BODY} bytes`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new ApiError(400, "the body is no JSON");
  }
}

function sendJson(res: http.ServerResponse, status: number, body: object): void {
  res.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  res.end(JSON.stringify(body));
}

const seconds = () => Math.floor(Date.now() / 1000);
