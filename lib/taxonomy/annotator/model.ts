import type { ChatModel, Thinking } from "@/lib/model/chat/types";
import { askRole } from "@/lib/model/role/ask";
import type { Recorder } from "@/lib/model/role/record";
import { type ModelRole, RoleFailure } from "@/lib/model/role/types";
import type { Annotated, Annotator } from "@/lib/taxonomy/types";
import { labelRole, partOf } from "./label";
import { proposeRole } from "./propose";
import { refineRole } from "./refine";

export interface ModelAnnotatorOptions {
  model: ChatModel;
  temperature: number;
  thinking?: Thinking;
  maxOutputTokens?: number | null;
  signal?: AbortSignal;
  record?: Recorder;
}

/** Changes when any of the three prompts or readers does. */
export const MODEL_ANNOTATOR_VERSION = [proposeRole, refineRole, labelRole].map((role) => role.version).join("+");

/** A model as the annotator. Replies of the same request may come from the cache, so a build that is resumed pays once. */
export function modelAnnotator({
  model,
  temperature,
  thinking,
  maxOutputTokens,
  signal,
  record,
}: ModelAnnotatorOptions): Annotator {
  const ask = async <I, O>(role: ModelRole<I, O>, input: I, subject: string): Promise<Annotated<O>> => {
    const { output, repairs, callId } = await askRole(model, role, input, {
      temperature,
      thinking,
      ...(maxOutputTokens ? { maxOutputTokens } : {}),
      subject,
      signal,
      record,
      cache: true,
    });
    return { output, repairs, callId };
  };
  return {
    kind: "model",
    name: model.name,
    version: MODEL_ANNOTATOR_VERSION,
    propose: (batch) => ask(proposeRole, batch, `propose types from ${batch.length} error steps`),
    refine: (types, batch) =>
      ask(refineRole, { types, batch }, `refine ${types.length} types on ${batch.length} error steps`),
    async label(types, batch) {
      try {
        return await ask(labelRole, { types, batch }, `label ${batch.length} error steps with ${types.length} types`);
      } catch (error) {
        // Twice unreadable as a whole: steps that it does answer keep their answer.
        if (!(error instanceof RoleFailure) || error.kind !== "unparsed" || error.reply === null) throw error;
        const part = partOf(error.reply, { types, batch });
        if (part === null) throw error;
        return { ...part, callId: error.callId };
      }
    },
  };
}
