import { z } from "zod";
import { type Operation, TAGS } from "./operation";
import { CODES, errorBody } from "./refusals";

type Json = Record<string, unknown>;

/** A schema as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
export function schemaOf(schema: z.ZodType, io: "input" | "output" = "input"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}

/** Parameters of a part of the address, from its object's schema. */
export function parametersOf(where: "path" | "query", schema: z.ZodObject | undefined) {
  if (!schema) return [];
  const json = schemaOf(schema) as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(json.properties ?? {}).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: where === "path" || (json.required ?? []).includes(name),
    ...(description === undefined ? {} : { description: String(description) }),
    schema: rest as Json & { type?: string; enum?: string[]; default?: unknown },
  }));
}

/** Statuses an operation may answer with when it is no success. */
const errorsOf = (o: Operation): (keyof typeof CODES)[] => [
  // Parameters that an operation does not take are refused by every one.
  400,
  401,
  403,
  // What a path, a filter or a body names may not be there.
  ...(o.params || o.query || o.body ? [404 as const] : []),
  ...(o.method === "POST" ? [409 as const, 413 as const, 415 as const, 422 as const] : []),
];

function described(o: Operation): Json {
  const status = String(o.status ?? 200);
  return {
    operationId: o.id,
    tags: [TAGS[o.tag]],
    summary: o.summary,
    description: [o.description, `Needs the role ${o.role}.`].filter(Boolean).join(" "),
    "x-role": o.role,
    parameters: [...parametersOf("path", o.params), ...parametersOf("query", o.query)],
    ...(o.body
      ? { requestBody: { required: true, content: { "application/json": { schema: schemaOf(o.body) } } } }
      : o.bytes
        ? { requestBody: { required: true, content: { "application/octet-stream": { schema: {} } } } }
        : {}),
    responses: {
      [status]: {
        description: o.status === 202 ? "queued" : o.status === 201 ? "made" : "the answer",
        content:
          o.response === null
            ? { [o.answers ?? "text/plain"]: { schema: { type: "string" } } }
            : { "application/json": { schema: schemaOf(o.response, "output") } },
      },
      ...Object.fromEntries(
        errorsOf(o).map((code) => [
          code,
          {
            description: CODES[code],
            content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
          },
        ]),
      ),
    },
  };
}

/** The API as OpenAPI 3.1, made from the schemas that parse its calls. */
export function openApi(operations: readonly Operation[]) {
  const paths: Record<string, Json> = {};
  for (const one of operations) paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: described(one) };
  return {
    openapi: "3.1.0" as const,
    info: {
      title: "Misstep",
      version: "1",
      description:
        "What the command line does, over HTTP. Where people sign in, calls carry a token (Authorization: Bearer mst_…); elsewhere none is needed on this machine.",
    },
    servers: [{ url: "/api/v1" }],
    security: [{ token: [] }, {}],
    tags: Object.values(TAGS).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: schemaOf(errorBody) },
    },
  };
}
