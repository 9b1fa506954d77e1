import {
  createLoader,
  createSerializer,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { BENCHMARKS } from "@/lib/evaluate/paper/published";
import { VOID_RULES } from "@/lib/evaluate/scores/attempts";
import { SCORE_METRICS } from "@/lib/evaluate/scores/summary";

export const evaluateParams = {
  /** Key of a set of scores; null: the largest. */
  set: parseAsString,
  /** Names of models; none: all. */
  model: parseAsNativeArrayOf(parseAsString),
  metric: parseAsStringLiteral(SCORE_METRICS).withDefault("solved"),
  k: parseAsInteger,
  runs: parseAsInteger,
  voids: parseAsStringLiteral(VOID_RULES).withDefault("apart"),
  /** Benchmark of the paper that is drawn beside. */
  paper: parseAsStringLiteral(BENCHMARKS),
};
export const loadEvaluateParams = createLoader(evaluateParams);
const serialize = createSerializer(evaluateParams);
export type EvaluateParams = Awaited<ReturnType<typeof loadEvaluateParams>>;
export const evaluateHref = (params: Partial<EvaluateParams>): string => serialize("/evaluate", params);
