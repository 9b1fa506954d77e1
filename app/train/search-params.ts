import { createLoader, createSerializer, parseAsInteger, parseAsStringLiteral } from "nuqs/server";

/** What the groups of a step can be narrowed to. */
export const GROUP_KINDS = ["live", "dead", "lucky"] as const;

/** The chosen step of a training, and which of its groups. */
export interface TrainParams {
  step: number | null;
  groups: (typeof GROUP_KINDS)[number] | null;
}

const params = { step: parseAsInteger, groups: parseAsStringLiteral(GROUP_KINDS) };
export const loadTrainParams = createLoader(params);
const serialize = createSerializer(params);

/** Address of a training's page. */
export const trainHref = (id: number, values: Partial<TrainParams> = {}): string => serialize(`/train/${id}`, values);
