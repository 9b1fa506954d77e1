import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import type { PolicyAttempts } from "./attempts";
import { importOutcomes, outcomesFile } from "./outcomesFile";
import { scoreReport } from "./report";
import { scoreSummary } from "./summary";

/** Rewards of five attempts at four tasks of Terminal-Bench 2.0 by two models, as recorded. */
const SMALL = {
  schema: "tb20-outcomes/1",
  source: {},
  models: {
    "Qwen3.5-4B": {
      tasks: {
        "build-cython-ext": { reward: [0, 0, 1, 0, 0], steps: [64, 64, 64, 64, 64] },
        "build-pmars": { reward: [1, 1, 0, 1, 1], steps: [64, 46, 64, 64, 59] },
        "cancel-async-tasks": { reward: [0, 0, 0, 1, 1], steps: [64, 33, 41, 41, 57] },
        "chess-best-move": { reward: [0, 0, 0, 0, 0], steps: [17, 47, 41, 27, 50] },
      },
    },
    other: {
      tasks: {
        "build-cython-ext": { reward: [1, 1, 1, 1, 1] },
        "build-pmars": { reward: [1, null, 0.5, 1] },
        "cancel-async-tasks": { reward: [null] },
      },
    },
  },
};

let db: Db;
const load = (file: unknown, digest = "a") =>
  importOutcomes(db, outcomesFile.parse(file), { dataset: "terminal-bench-2-0", digest });
const report = (asked: Partial<Parameters<typeof scoreReport>[1]> = {}) => {
  const made = scoreReport(db, {
    set: null,
    models: null,
    metric: "solved",
    k: null,
    runs: null,
    voids: "apart",
    ...asked,
  });
  if (!made) throw new Error("no set");
  return made;
};

beforeEach(() => {
  db = openMemoryDb();
});

describe("scores of an outcomes file", () => {
  it("compare with the base where there is one, whatever its name; asked for by name, in the order asked", () => {
    load(SMALL);
    const first = () => report().differences.map((d) => d.before);
    expect(first()).toEqual(["Qwen3.5-4B"]);
    const descend = db.$client.prepare(
      "update checkpoint set parent_id = (select id from checkpoint where name = ?) where name = ?",
    );
    descend.run("other", "Qwen3.5-4B");
    expect(first()).toEqual(["other"]);
    expect(report().everyone).toEqual(["other", "Qwen3.5-4B"]);
    expect(report({ models: ["Qwen3.5-4B", "other"] }).differences.map((d) => d.before)).toEqual(["Qwen3.5-4B"]);
    // Trained from something that has no score here: the other one was trained from nothing.
    db.$client.exec("update checkpoint set parent_id = 99 where name = 'Qwen3.5-4B'");
    expect(first()).toEqual(["other"]);
  });

  it("are unbiased pass@k, errors over runs and tasks, and nothing beyond the attempts", () => {
    load(SMALL);
    const [qwen] = report({ models: ["Qwen3.5-4B"] }).scores;
    expect(qwen).toMatchObject({ tasks: 4, attempts: 20, solved: 7, void: 0, mean: 7 / 20, meanSteps: 1035 / 20 });
    // By hand: pass@2 of 1, 4, 2, 0 solved of 5 is 2/5, 1, 7/10, 0.
    expect(qwen?.passAtK[1]?.value).toBeCloseTo((0.4 + 1 + 0.7) / 4, 12);
    expect(qwen?.passAtK).toHaveLength(5);
    expect(qwen?.runScores).toEqual([0.25, 0.25, 0.25, 0.5, 0.5]);
    expect(qwen?.seRuns).toBeCloseTo(Math.sqrt(0.01875 / 5), 12);
    expect(qwen?.subsetSe.map((s) => s.k)).toEqual([2, 3, 4, 5]);
    const beyond = scoreSummary(report().policies[0] as PolicyAttempts, "solved", 6);
    expect(beyond.passAtK.every((p) => p.value === null)).toBe(true);
  });

  it("keep void attempts and partial credit apart", () => {
    load(SMALL);
    const { scores, policies } = report({ models: ["other"], metric: "reward" });
    expect(scores[0]).toMatchObject({ tasks: 2, tasksWithout: 1, attempts: 8, void: 2, partial: 1, solved: 7 });
    expect(scores[0]?.mean).toBeCloseTo((1 + 2.5 / 3) / 2, 12);
    expect(scores[0]).toMatchObject({ runScores: null, seRuns: null, fewest: 3, most: 5 });
    expect(policies[0]?.tasks.find((t) => t.task === "build-pmars")?.rewards).toEqual([1, 0.5, 1]);
    // The curve says over how many tasks it is.
    expect(report({ models: ["other"], k: 5 }).scores[0]).toMatchObject({ passTasks: 1, passLeft: 1 });
  });

  it("pair two policies by task", () => {
    load(SMALL);
    const [pair] = report({ models: ["Qwen3.5-4B", "other"], metric: "reward" }).differences;
    expect(pair?.difference).toMatchObject({ clusters: 2, unpaired: 2 });
    expect(pair?.difference.value).toBeCloseTo((0.8 + (2.5 / 3 - 0.8)) / 2, 12);
    // Both tasks lean the same way: of the four ways of swapping, two are as far apart as what was seen.
    expect(pair?.difference.p).toBe(0.5);
  });

  it("are not stored twice, and a model whose lists disagree is refused whole", () => {
    expect(load(SMALL).evaluations).toHaveLength(2);
    expect(load(SMALL)).toEqual({ evaluations: [], present: ["Qwen3.5-4B", "other"] });
    expect(report().set).toMatchObject({ tasks: 4, checkpoints: 2, attempts: 30 });
    const uneven = { ...SMALL, models: { m: { tasks: { t: { reward: [1, 0], steps: [3] } } } } };
    expect(outcomesFile.safeParse(uneven).error?.issues[0]?.message).toContain("1 values for 2 rewards");
  });

  it("look at the first runs only when asked to", () => {
    load(SMALL);
    const [first] = report({ models: ["Qwen3.5-4B"], runs: 3 }).scores;
    expect(first).toMatchObject({ attempts: 12, solved: 3, most: 3 });
  });
});

const folder = process.env.MISSTEP_REFERENCE ?? path.join(process.env.MISSTEP_CORPUS ?? "", "../reference");
const file = path.join(folder, "tmax-tb20-outcomes.json");
const there = fs.existsSync(file);
if (!there) console.log("skipped: tmax-tb20-outcomes.json is not beside this repository (MISSTEP_REFERENCE)");

describe("four models on Terminal-Bench 2.0", () => {
  it.skipIf(!there)("come to exactly what is expected of them", () => {
    interface Expected {
      attempts: number;
      tasks: number;
      pass_at_k_percent: Record<string, number>;
      mean_steps: number;
    }
    const raw = JSON.parse(fs.readFileSync(file, "utf8")) as { models: Record<string, { expected: Expected }> };
    load(raw);
    // Whoever counted there took a missing reward for a 0; apart, those attempts are void.
    expect(report().scores.some((s) => s.void > 0 && s.attempts + s.void === 445)).toBe(true);
    const { scores } = report({ voids: "zero" });
    expect(scores.map((s) => s.checkpoint).sort()).toEqual(Object.keys(raw.models).sort());
    for (const s of scores) {
      const { expected } = raw.models[s.checkpoint] as { expected: Expected };
      expect(s).toMatchObject({ attempts: expected.attempts, tasks: expected.tasks, passLeft: 0 });
      expect(Object.fromEntries(s.passAtK.map((p) => [p.k, Number((100 * (p.value ?? -1)).toFixed(4))]))).toEqual(
        expected.pass_at_k_percent,
      );
      expect(Number(s.meanSteps?.toFixed(3))).toBe(expected.mean_steps);
      expect(s.seRuns).not.toBeNull();
    }
  });
});
