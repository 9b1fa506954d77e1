import "server-only";
import type { Db } from "@/db/client";
import { type OpenModelsOptions, openModels } from "@/lib/model/chat/open";
import { recorderOf } from "@/lib/model/role/record";
import type { AnnotatorSpec } from "@/lib/taxonomy/settings";
import type { Annotator } from "@/lib/taxonomy/types";
import { modelAnnotator } from "./model";
import { rulesAnnotator } from "./rules";

/** No such annotator can be had: the model is not in the settings, or none is set for the role. */
export class NoAnnotator extends Error {}

/** The annotator of a spec. Throws NoAnnotator, and SettingsError when the model settings cannot be read. */
export function openAnnotator(db: Db, spec: AnnotatorSpec, options: OpenModelsOptions = {}): Annotator {
  if (spec.use === "rules") return rulesAnnotator;
  const player = openModels(db, options).forRole("annotator", spec.model);
  if (player === null)
    throw new NoAnnotator("no model plays the annotator; choose one for this role in the settings, or use the rules");
  const { model, temperature, thinking, maxOutputTokens } = player;
  return modelAnnotator({
    model,
    temperature,
    thinking,
    maxOutputTokens,
    signal: options.signal,
    record: recorderOf(db),
  });
}
