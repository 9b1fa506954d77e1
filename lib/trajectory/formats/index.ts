import type { Json } from "@/lib/trajectory/types";
import { agentRx, agentRxLabels } from "./agentrx";
import { atif } from "./atif";
import { chat } from "./chat";
import { mini1, mini2 } from "./mini";
import type { DocumentFormat } from "./module";
import { sweAgent } from "./swe-agent";
import { whoAndWhen } from "./who-and-when";

/** Formats in the order they are asked: what is marked most clearly comes first. */
export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [
  atif,
  whoAndWhen,
  mini1,
  mini2,
  sweAgent,
  agentRxLabels,
  agentRx,
  chat,
];

/** The format of a JSON value, by its content; null when it is no trajectory. */
export function documentFormat(value: Json): DocumentFormat | null {
  return DOCUMENT_FORMATS.find((format) => format.detect(value)) ?? null;
}
