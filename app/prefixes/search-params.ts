import {
  createLoader,
  createSerializer,
  parseAsArrayOf,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";

/** In a URL: rows that state no value. The same word as in the list of trajectories. */
export const NONE = "(not stated)";

/** What can be sorted by. The same words as db/queries/prefixes. */
export const SORTS = ["newest", "misbehavior", "environment", "status", "cause", "commands", "exact"] as const;
export const RULE_GROUPS = ["misbehavior", "environment", "study"] as const;
export const RULE_NAMES = ["exact", "normalised", "exit-code"] as const;
/** `kept:exact`, `lost:normalised`, `unknown:exit-code`. */
const RULE_FILTERS = RULE_NAMES.flatMap((rule) => [`kept:${rule}`, `lost:${rule}`, `unknown:${rule}`] as const);

const list = parseAsArrayOf(parseAsString).withDefault([]);

export const prefixParams = {
  misbehavior: list,
  status: list,
  cause: list,
  split: list,
  environment: list,
  /** A draw; 0 is "made on demand". */
  draw: parseAsInteger,
  study: parseAsInteger,
  /** What people settled: good | bad | unsettled. */
  review: list,
  rule: parseAsStringLiteral(RULE_FILTERS),
  sort: parseAsStringLiteral(SORTS).withDefault("newest"),
  dir: parseAsStringLiteral(["asc", "desc"] as const).withDefault("desc"),
  after: parseAsString,
  before: parseAsString,
  by: parseAsStringLiteral(RULE_GROUPS).withDefault("misbehavior"),
};

export const loadPrefixParams = createLoader(prefixParams);
export type PrefixParams = Awaited<ReturnType<typeof loadPrefixParams>>;
const serialize = createSerializer(prefixParams);

/** Address of the list with these parameters. */
export const prefixesHref = (params: Partial<PrefixParams>): string => serialize("/prefixes", params);

/** Everything that narrows, cleared. */
export const CLEARED = {
  misbehavior: null,
  status: null,
  cause: null,
  split: null,
  environment: null,
  draw: null,
  study: null,
  review: null,
  rule: null,
  after: null,
  before: null,
} as const;
