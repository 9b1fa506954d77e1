import {
  createLoader,
  createSerializer,
  parseAsInteger,
  parseAsNativeArrayOf,
  parseAsNumberLiteral,
  parseAsStringLiteral,
} from "nuqs/server";
import { METRICS } from "@/app/train/metrics";
import { AXES, SMOOTHING } from "./overlay-rows";

const keys = METRICS.map((m) => m.key);

export const compareParams = {
  ids: parseAsNativeArrayOf(parseAsInteger),
  metric: parseAsStringLiteral(keys).withDefault("reward"),
  x: parseAsStringLiteral(AXES).withDefault("step"),
  smooth: parseAsNumberLiteral(SMOOTHING).withDefault(0),
};
export const loadCompareParams = createLoader(compareParams);
const serialize = createSerializer(compareParams);

/** Address of several trainings over each other. */
export const compareHref = (ids: readonly number[]): string => serialize("/train/compare", { ids: [...ids] });
