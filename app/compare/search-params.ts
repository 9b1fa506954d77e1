import {
  createLoader,
  createSerializer,
  parseAsBoolean,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { SHOWN_RATES } from "@/lib/evaluate/behavior/view";
import { INTERVAL_METHODS } from "@/lib/evaluate/stats/bootstrap";

export const measureParams = {
  /** The measurement; none: the list. */
  m: parseAsInteger,
  /** Of the list: id to go on from. */
  before: parseAsInteger,
  judge: parseAsNativeArrayOf(parseAsString),
  checkpoint: parseAsNativeArrayOf(parseAsInteger),
  misbehavior: parseAsNativeArrayOf(parseAsString),
  interval: parseAsStringLiteral(INTERVAL_METHODS).withDefault("studentized"),
  /** Of the form: the checkpoints it begins with; none: the base. */
  policy: parseAsNativeArrayOf(parseAsString),
  /** The published figure stands below. */
  paper: parseAsBoolean.withDefault(false),
  rate: parseAsStringLiteral(SHOWN_RATES).withDefault("raw"),
};
export const loadMeasureParams = createLoader(measureParams);
export type MeasureParams = Awaited<ReturnType<typeof loadMeasureParams>>;
const serialize = createSerializer(measureParams);

/** Address of a measurement, or with `before` of the list. */
export const measurementHref = (params: Partial<MeasureParams>): string => serialize("/compare", params);
