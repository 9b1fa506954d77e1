import "server-only";
import { z } from "zod";
import { CallError } from "@/app/api/reply";
import type { Db } from "@/db/client";
import { type Actor, requireRole } from "@/lib/people/actor";
import type { Operation } from "./operation";
import { BadInput, failed, issuesOf, refusal } from "./refusals";
import { findOperation } from "./registry";

/** Largest JSON body that is read, bytes. Files go to /uploads. */
const MOST_BODY = 10_000_000;

/** A schema without what only says that it may be left out. */
function bare(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap();
  return inner;
}

/** The query as an object: parameters that are lists may be given several times, others once. */
function queryOf(schema: z.ZodObject, given: URLSearchParams): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name);
    const kind = bare(schema.shape[name]);
    if (kind instanceof z.ZodArray) out[name] = values;
    else if (values.length > 1) throw new BadInput([{ path: `query.${name}`, message: "is given more than once" }]);
    // Number("") is 0, which nobody meant.
    else out[name] = kind instanceof z.ZodNumber && values[0]?.trim() === "" ? Number.NaN : values[0];
  }
  return out;
}

function read(where: string, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new BadInput(issuesOf(parsed.error, where));
  return parsed.data;
}

/** The body as JSON. Nothing at all stands for an empty object. */
async function bodyOf(request: Request): Promise<unknown> {
  const tooLarge = new CallError(413, `The body is larger than ${MOST_BODY / 1e6} MB.`);
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BODY) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // What says no length is counted as it comes.
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BODY) throw tooLarge;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text.trim() === "") return {};
  // A form of another site can send text, never JSON: the type is the second lock behind the Origin.
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    throw new CallError(415, "Send the body as application/json.");
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new BadInput([{ path: "body", message: `is no JSON: ${error instanceof Error ? error.message : error}` }]);
  }
}

async function perform(o: Operation, params: unknown, request: Request, db: Db, actor: Actor): Promise<Response> {
  const given = new URL(request.url).searchParams;
  const call = {
    db,
    actor,
    request,
    params: o.params ? read("path", o.params, params) : {},
    query: o.query ? read("query", o.query, queryOf(o.query, given)) : {},
    body: o.body ? read("body", o.body, await bodyOf(request)) : {},
  };
  if (!o.query && [...given.keys()].length > 0)
    throw new BadInput([{ path: "query", message: `takes no parameters; there is ${[...given.keys()].join(", ")}` }]);
  const made = await o.run(call);
  if (made instanceof Response) return made;
  // What the description does not promise is not sent.
  return Response.json(o.response?.parse(made), { status: o.status ?? 200, headers: { "cache-control": "no-store" } });
}

/**
 * Answers a call to a path below /api/v1 (its segments, decoded). Who calls is asked first, then whether there is such an
 * operation, then whether they may, then what they sent. Errors that nobody outside caused are thrown on.
 */
export async function dispatch(
  db: Db,
  path: readonly string[],
  request: Request,
  caller: () => Promise<Actor>,
): Promise<Response> {
  try {
    const actor = await caller();
    const { operation, params, allowed } = findOperation(request.method === "HEAD" ? "GET" : request.method, path);
    if (operation === null)
      return allowed.length > 0
        ? failed(405, `This path takes ${allowed.join(", ")}.`, undefined, { allow: allowed.join(", ") })
        : failed(404, `There is no /api/v1/${path.join("/")}; GET /api/v1/openapi.json lists what there is.`);
    requireRole(actor, operation.role);
    return await perform(operation, params, request, db, actor);
  } catch (error) {
    const answer = refusal(error);
    if (answer === null) throw error;
    return answer;
  }
}
