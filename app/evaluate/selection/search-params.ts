import { createLoader, createSerializer, parseAsInteger } from "nuqs/server";
import { SELECTION } from "@/lib/train/select";

export const selectionParams = {
  /** A training. */
  run: parseAsInteger,
  /** Steps of the moving average. */
  window: parseAsInteger.withDefault(SELECTION.window),
  /** Held-out environments that candidates are compared on. */
  environments: parseAsInteger.withDefault(100),
};
export const loadSelectionParams = createLoader(selectionParams);
const serialize = createSerializer(selectionParams);
export const selectionHref = (run: number): string => serialize("/evaluate/selection", { run });
