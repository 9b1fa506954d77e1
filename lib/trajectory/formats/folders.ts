import { harborTrial } from "./harbor";
import { inspectEval } from "./inspect";
import type { FolderFormat } from "./module";
import { openHandsV0Folder } from "./openhands-v0";
import { openHandsV1Folder } from "./openhands-v1";
import { terminalBenchFolder } from "./terminal-bench";

/** Formats spread over several files, in the order they are asked. */
export const FOLDER_FORMATS: readonly FolderFormat[] = [
  harborTrial,
  inspectEval,
  openHandsV1Folder,
  openHandsV0Folder,
  terminalBenchFolder,
];
