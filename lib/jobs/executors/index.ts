import "server-only";
import type { Executor } from "@/lib/jobs/executor";
import { importExecutor } from "./import";
import { makeRerunExecutor } from "./rerun";
import { connectGround } from "./rerunGround";
import { scanExecutor } from "./scan";
import { indexExecutor } from "./textIndex";

/** Every kind of job this version can run. */
export const executors: Record<string, Executor> = Object.fromEntries(
  [importExecutor, scanExecutor, indexExecutor, makeRerunExecutor(connectGround)].map((e) => [e.kind, e]),
);
