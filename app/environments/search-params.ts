import { createLoader, createSerializer, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs/server";

/** The same words as db/queries/environmentList. */
export const SORTS = ["newest", "name", "dataset", "trajectories", "prefixes"] as const;
export const STATES = ["sound", "unsound", "void", "unchecked", "bare"] as const;

const list = parseAsArrayOf(parseAsString).withDefault([]);

export const environmentParams = {
  q: parseAsString.withDefault(""),
  kind: list,
  dataset: list,
  state: parseAsArrayOf(parseAsStringLiteral(STATES)).withDefault([]),
  sort: parseAsStringLiteral(SORTS).withDefault("name"),
  dir: parseAsStringLiteral(["asc", "desc"] as const).withDefault("asc"),
  after: parseAsString,
  before: parseAsString,
};

export const loadEnvironmentParams = createLoader(environmentParams);
export type EnvironmentParams = Awaited<ReturnType<typeof loadEnvironmentParams>>;
const serialize = createSerializer(environmentParams);

/** Address of the list with these parameters. */
export const environmentsHref = (params: Partial<EnvironmentParams>): string => serialize("/environments", params);
