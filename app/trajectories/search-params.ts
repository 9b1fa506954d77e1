import {
  createLoader,
  createParser,
  createSerializer,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { NOT_STATED } from "@/components/data/not-stated";
import { REWARDED } from "@/components/data/rewarded";

/** What can be sorted by. The same words as db/queries/trajectories. */
export const SORTS = [
  "newest",
  "started",
  "task",
  "model",
  "steps",
  "errors",
  "tokens",
  "cost",
  "reward",
  "duration",
] as const;

export const COLUMNS = [
  "task",
  "model",
  "outcome",
  "misbehaviors",
  "steps",
  "errors",
  "tokens",
  "cost",
  "duration",
  "started",
  "format",
  "agent",
  "reward",
  "exception",
] as const;
export type Column = (typeof COLUMNS)[number];
const DEFAULT_COLUMNS: Column[] = COLUMNS.slice(0, 10);

export interface TextRange {
  min: string;
  max: string;
}

/** `10..50`, `10..`, `..50`. Kept as typed; the server reads the numbers or dates. */
const parseAsRange = createParser<TextRange>({
  parse(value) {
    const [min, max, rest] = value.split("..");
    return min === undefined || max === undefined || rest !== undefined || (min === "" && max === "")
      ? null
      : { min, max };
  },
  serialize: ({ min, max }) => `${min}..${max}`,
  eq: (a, b) => a.min === b.min && a.max === b.max,
});

const list = parseAsArrayOf(parseAsString).withDefault([]);

export const listParams = {
  q: parseAsString.withDefault(""),
  format: list,
  model: list,
  task: list,
  outcome: list,
  misbehavior: parseAsString,
  steps: parseAsRange,
  tokens: parseAsRange,
  cost: parseAsRange,
  started: parseAsRange,
  exception: parseAsBoolean,
  unaided: parseAsBoolean,
  import: parseAsInteger,
  profile: parseAsInteger,
  training: parseAsInteger,
  trainingStep: parseAsInteger,
  rolloutGroup: parseAsInteger,
  rewarded: parseAsStringLiteral(REWARDED),
  measurement: parseAsInteger,
  measuredCheckpoint: parseAsInteger,
  measuredType: parseAsInteger,
  verdict: list,
  sort: parseAsStringLiteral(SORTS).withDefault("newest"),
  dir: parseAsStringLiteral(["asc", "desc"] as const).withDefault("desc"),
  after: parseAsString,
  before: parseAsString,
  group: parseAsStringLiteral(["task", "model"] as const),
  cols: parseAsArrayOf(parseAsStringLiteral(COLUMNS)).withDefault(DEFAULT_COLUMNS),
};

export const loadListParams = createLoader(listParams);
export type ListParams = Awaited<ReturnType<typeof loadListParams>>;
const serialize = createSerializer(listParams);

/** A model or task as the list's filter: null is "not stated". */
export const filterOn = (value: string | null): string[] => [value ?? NOT_STATED];

/** Address of the list with these parameters. */
export const listHref = (params: Partial<ListParams>): string => serialize("/trajectories", params);

/** Ranges of steps that tell trajectories with steps from results alone. */
export const WITH_STEPS: TextRange = { min: "1", max: "" };
export const WITHOUT_STEPS: TextRange = { min: "", max: "0" };

/** Everything that narrows, cleared; a changed filter also starts the list anew. */
export const CLEARED = {
  q: null,
  format: null,
  model: null,
  task: null,
  outcome: null,
  misbehavior: null,
  steps: null,
  tokens: null,
  cost: null,
  started: null,
  exception: null,
  unaided: null,
  import: null,
  profile: null,
  training: null,
  trainingStep: null,
  rolloutGroup: null,
  rewarded: null,
  measurement: null,
  measuredCheckpoint: null,
  measuredType: null,
  verdict: null,
  after: null,
  before: null,
} as const;
