import type { SampleSession } from "@/scripts/sample/types";
import { buildSessions } from "./build";
import { configSessions } from "./config";
import { labelSessions } from "./label";
import { logsSessions } from "./logs";
import { pictureSessions } from "./picture";
import { slugSessions } from "./slug";
import { workersSessions } from "./workers";

/** Every session of the sample. */
export const SESSIONS: readonly SampleSession[] = [
  ...logsSessions,
  ...workersSessions,
  ...buildSessions,
  ...pictureSessions,
  ...configSessions,
  ...labelSessions,
  ...slugSessions,
];
