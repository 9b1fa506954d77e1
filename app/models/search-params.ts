import { createLoader, createSerializer, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** The same words as db/queries/checkpoints. */
export const SORTS = ["newest", "name", "trajectories", "passed", "errors"] as const;

export const modelParams = {
  q: parseAsString.withDefault(""),
  kind: parseAsArrayOf(parseAsString).withDefault([]),
  sort: parseAsStringLiteral(SORTS).withDefault("newest"),
  dir: parseAsStringLiteral(["asc", "desc"] as const).withDefault("desc"),
  after: parseAsString,
  before: parseAsString,
};

export const loadModelParams = createLoader(modelParams);
export type ModelParams = Awaited<ReturnType<typeof loadModelParams>>;
const serialize = createSerializer(modelParams);

/** Address of the list with these parameters. */
export const modelsHref = (params: Partial<ModelParams>): string => serialize("/models", params);
