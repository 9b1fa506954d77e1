import { z } from "zod";
import { type Protocol, type ScriptedOptions, type ScriptedServer, scriptedServer, WireError } from "./server";

/*
 * Google's Gemini API, from its public reference (POST /v1beta/models/{model}:generateContent): the fields that we send.
 * A field that is not named here is refused.
 */

const struct = z.record(z.string(), z.unknown());
const part = z
  .strictObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    thoughtSignature: z.string().min(1).optional(),
    functionCall: z.strictObject({ id: z.string().optional(), name: z.string().min(1), args: struct }).optional(),
    functionResponse: z
      .strictObject({ id: z.string().optional(), name: z.string().min(1), response: struct })
      .optional(),
  })
  .refine(
    (value) => [value.text, value.functionCall, value.functionResponse].filter((v) => v !== undefined).length === 1,
    "a part has exactly one of text, functionCall and functionResponse",
  );

const requestSchema = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(part).min(1) })).min(1),
  systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: z.string() })).min(1) }).optional(),
  generationConfig: z
    .strictObject({
      temperature: z.number().min(0).max(2).optional(),
      topP: z.number().min(0).max(1).optional(),
      maxOutputTokens: z.number().int().min(1).optional(),
      stopSequences: z.array(z.string()).max(5).optional(),
      seed: z.number().int().optional(),
      thinkingConfig: z
        .strictObject({
          includeThoughts: z.boolean().optional(),
          thinkingBudget: z.number().int().min(-1).optional(),
          thinkingLevel: z.enum(["minimal", "low", "medium", "high"]).optional(),
        })
        .refine(
          (c) => c.thinkingBudget === undefined || c.thinkingLevel === undefined,
          "budget and level exclude each other",
        )
        .optional(),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z.array(
          z.strictObject({
            name: z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/),
            description: z.string(),
            parameters: z.looseObject({ type: z.string() }).optional(),
          }),
        ),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({ functionCallingConfig: z.strictObject({ mode: z.enum(["AUTO", "ANY", "NONE"]) }) })
    .optional(),
});
export type GoogleBody = z.output<typeof requestSchema> & { model: string };

/** Gemini 3 and later sign function calls and want the signature back. */
const wantsSignatures = (model: string) => !/gemini-[12]/.test(model);

const FINISH = { stop: "STOP", length: "MAX_TOKENS", "tool-calls": "STOP" } as const;

const protocol: Protocol<GoogleBody> = {
  read({ path, headers, json }) {
    const model = /^\/v1beta\/models\/([\w.-]+):generateContent$/.exec(path)?.[1];
    if (!model) throw new WireError(404, `there is nothing at ${path}`);
    if (!headers["x-goog-api-key"]) throw new WireError(403, "x-goog-api-key: an API key is required");
    if (headers["content-type"] !== "application/json") throw new WireError(400, "content-type is not JSON");
    const read = requestSchema.safeParse(json);
    if (!read.success) throw new WireError(400, z.prettifyError(read.error));
    const { contents } = read.data;
    if (contents.at(-1)?.role !== "user") throw new WireError(400, "the last content is the user's");
    contents.forEach(({ parts }, at) => {
      const called = parts.filter((p) => p.functionCall).length;
      const answered = contents[at + 1]?.parts.filter((p) => p.functionResponse).length ?? 0;
      if (called !== answered)
        throw new WireError(400, `contents.${at}: ${called} function calls, ${answered} function responses after them`);
      const first = parts.find((p) => p.functionCall);
      if (first && wantsSignatures(model) && !first.thoughtSignature)
        throw new WireError(400, `contents.${at}: function call is missing a thought_signature`);
    });
    const texts = contents.flatMap(({ parts }) =>
      parts.map((p) => p.text ?? (p.functionResponse ? JSON.stringify(p.functionResponse.response) : "")),
    );
    return { body: { ...read.data, model }, texts };
  },
  reply: (body, answer, usage) => ({
    candidates: [
      {
        index: 0,
        finishReason: FINISH[answer.finish ?? "stop"],
        content: {
          role: "model",
          parts: [
            ...(answer.thinking === undefined ? [] : [{ text: answer.thinking, thought: true }]),
            ...(answer.text === undefined ? [] : [{ text: answer.text }]),
            ...(answer.calls ?? []).map((call) => ({
              functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) },
              ...(wantsSignatures(body.model) ? { thoughtSignature: `signed:${call.id}` } : {}),
            })),
          ],
        },
      },
    ],
    ...(usage
      ? {
          usageMetadata: {
            promptTokenCount: usage.input,
            ...(usage.cached ? { cachedContentTokenCount: usage.cached } : {}),
            candidatesTokenCount: (usage.output ?? 0) - (usage.reasoning ?? 0),
            ...(usage.reasoning ? { thoughtsTokenCount: usage.reasoning } : {}),
            totalTokenCount: (usage.input ?? 0) + (usage.output ?? 0),
          },
        }
      : {}),
    modelVersion: body.model,
    responseId: "r1",
  }),
  empty: () => ({ candidates: [{ finishReason: 7 }] }),
  error: (status, message) => ({ error: { code: status, message, status: "INVALID_ARGUMENT" } }),
};

/** A scripted server of Google's Gemini API; its base address for settings is `origin` + "/v1beta". */
export const googleServer = (options: ScriptedOptions<GoogleBody> = {}): Promise<ScriptedServer<GoogleBody>> =>
  scriptedServer(protocol, options);
