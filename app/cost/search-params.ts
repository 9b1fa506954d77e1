import {
  createLoader,
  createSerializer,
  parseAsBoolean,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsStringLiteral,
} from "nuqs/server";
import { RESOURCES } from "@/lib/evaluate/cost/resources";

export const costParams = {
  /** Trainings; none: all. */
  training: parseAsNativeArrayOf(parseAsInteger),
  resource: parseAsStringLiteral(RESOURCES).withDefault("rollouts"),
  /** Training that the others are shown against, as a change in percent; null: amounts. */
  against: parseAsInteger,
  /** What the paper printed is drawn beside: a thousand times as much, which leaves of own bars a sliver. */
  paper: parseAsBoolean.withDefault(false),
};
export const loadCostParams = createLoader(costParams);
export type CostParams = Awaited<ReturnType<typeof loadCostParams>>;
const serialize = createSerializer(costParams);
export const costHref = (params: Partial<CostParams>): string => serialize("/cost", params);
