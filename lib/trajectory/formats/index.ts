import type { Json } from "@/lib/trajectory/types";
import { agentRx, agentRxLabels } from "./agentrx";
import { atif } from "./atif";
import { chat } from "./chat";
import { docent } from "./docent";
import { inspectJson } from "./inspect";
import { mini1, mini2 } from "./mini";
import type { DocumentFormat } from "./module";
import { openInstruct } from "./open-instruct";
import { openHandsV0 } from "./openhands-v0";
import { openHandsV1 } from "./openhands-v1";
import { sweAgent } from "./swe-agent";
import { terminalBench } from "./terminal-bench";
import { whoAndWhen } from "./who-and-when";

/** Formats in the order they are asked: what is marked most clearly comes first. */
export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [
  atif,
  whoAndWhen,
  inspectJson,
  openHandsV0,
  openHandsV1,
  mini1,
  mini2,
  sweAgent,
  docent,
  openInstruct,
  terminalBench,
  agentRxLabels,
  agentRx,
  chat,
];

/** The format of a JSON value, by its content; null when it is no trajectory. */
export function documentFormat(value: Json): DocumentFormat | null {
  return DOCUMENT_FORMATS.find((format) => format.detect(value)) ?? null;
}
