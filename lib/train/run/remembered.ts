import "server-only";
import fs from "node:fs";
import path from "node:path";
import { writeWhole } from "@/lib/model/chat/file";
import { stepMetrics } from "./metrics";
import { trainPlan } from "./plan";
import type { FoundPivots, PastStep } from "./training";

const STEP = /^step-(\d+)\.json$/;

/**
 * What a training that runs away from its index remembers in a folder: the numbers of its steps and its pivots, so that
 * the process that follows a killed one goes on after the last whole step.
 */
export function rememberedSteps(folder: string) {
  fs.mkdirSync(folder, { recursive: true });
  const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
  const pivotsFile = "pivots.json";
  return {
    /** In order. */
    steps(): PastStep[] {
      return fs
        .readdirSync(folder)
        .flatMap((name) => STEP.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b)
        .map((step) => ({ step, metrics: stepMetrics.parse(read(`step-${step}.json`)) }));
    },
    keepStep({ step, metrics }: PastStep): void {
      writeWhole(path.join(folder, `step-${step}.json`), JSON.stringify(metrics));
    },
    hasPivots: (): boolean => fs.existsSync(path.join(folder, pivotsFile)),
    pivots(): FoundPivots | null {
      if (!fs.existsSync(path.join(folder, pivotsFile))) return null;
      const found = read(pivotsFile) as FoundPivots | null;
      return found && { ...found, plan: trainPlan.parse(found.plan) };
    },
    keepPivots(found: FoundPivots | null): void {
      writeWhole(path.join(folder, pivotsFile), JSON.stringify(found));
    },
  };
}
