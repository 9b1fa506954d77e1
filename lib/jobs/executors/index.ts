import "server-only";
import { connectGround as connectEnvironments } from "@/lib/environment/ground";
import type { Executor } from "@/lib/jobs/executor";
import { checkEnvironmentsExecutor } from "./checkEnvironments";
import { driftExecutor } from "./drift";
import { importExecutor } from "./import";
import { importEnvironmentsExecutor } from "./importEnvironments";
import { judgeExecutor } from "./judge";
import { makeLaunchExecutor } from "./launch";
import { localizeExecutor } from "./localize";
import { makeMeasureExecutor } from "./measure";
import { pretrainExecutor } from "./pretrain";
import { makeProfileExecutor } from "./profile";
import { readBackExecutor } from "./readBack";
import { relabelExecutor } from "./relabel";
import { makeRerunExecutor } from "./rerun";
import { connectGround } from "./rerunGround";
import { scanExecutor } from "./scan";
import { taxonomyExecutor } from "./taxonomy";
import { indexExecutor } from "./textIndex";
import { makeTrainExecutor } from "./train";

const ALL = [
  importExecutor,
  scanExecutor,
  indexExecutor,
  importEnvironmentsExecutor,
  checkEnvironmentsExecutor,
  makeRerunExecutor(connectGround),
  makeProfileExecutor(connectEnvironments),
  pretrainExecutor,
  localizeExecutor,
  taxonomyExecutor,
  relabelExecutor,
  readBackExecutor,
  makeTrainExecutor(connectEnvironments),
  makeMeasureExecutor(connectEnvironments),
  driftExecutor,
  judgeExecutor,
  makeLaunchExecutor(),
];

/** Every kind of job this version can run. */
export const executors: Record<string, Executor> = Object.fromEntries(ALL.map((e) => [e.kind, e]));
