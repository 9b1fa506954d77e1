import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discover } from "./discover";
import { toAtif } from "./export/atif";
import { toChatLine } from "./export/chat";
import { stepsFingerprint } from "./fingerprint";
import { readUnit } from "./read";
import type { Trajectory } from "./types";
import type { Refusal, Skip } from "./unit";

const CORPUS = process.env.MISSTEP_CORPUS ?? path.resolve("../shared/data");
const there = existsSync(CORPUS);
if (!there) console.log(`corpus.test.ts skipped: no folder ${CORPUS}`);

interface Found {
  key: string;
  trajectory: Trajectory;
  hash: string;
}

const all: Found[] = [];
const refused: Refusal[] = [];
const skips: Skip[] = [];
const scratch = mkdtempSync(path.join(tmpdir(), "misstep-corpus-"));

/** What the fingerprint does not cover and an export keeps all the same. */
function besides({ steps, labels, outcome, rewards, artifacts, usage }: Trajectory) {
  const kept = steps.map(({ time, durationMs, usage: own }) => [time, durationMs, own]);
  return [kept, labels, outcome, Object.entries(rewards).sort(), artifacts, usage];
}

async function readFile(name: string, text: string): Promise<Trajectory[]> {
  const file = path.join(scratch, name);
  writeFileSync(file, text);
  const found: Trajectory[] = [];
  for await (const result of readUnit({ key: name, path: file, member: null, bytes: 0 }, scratch)) {
    if (result.kind !== "trajectory") throw new Error(`${name}: ${JSON.stringify(result).slice(0, 400)}`);
    found.push(result.trajectory);
  }
  return found;
}

describe.skipIf(!there)("the real data", () => {
  beforeAll(async () => {
    for await (const found of discover(CORPUS)) {
      if (found.kind === "refused") refused.push(found.refusal);
      if (found.kind === "skipped") skips.push(found.skip);
      if (found.kind !== "unit") continue;
      for await (const result of readUnit(found.unit, CORPUS)) {
        if (result.kind === "trajectory")
          all.push({ key: found.unit.key, trajectory: result.trajectory, hash: result.hash });
        else if (result.kind === "refused") refused.push(result.refusal);
        else skips.push(result.skip);
      }
    }
  }, 120_000);
  afterAll(() => rmSync(scratch, { recursive: true }));

  it("is read whole, and says what it found", () => {
    const counts = new Map<string, [number, number]>();
    for (const { trajectory } of all) {
      const [count, steps] = counts.get(trajectory.format) ?? [0, 0];
      counts.set(trajectory.format, [count + 1, steps + trajectory.steps.length]);
    }
    const rows = [...counts]
      .sort()
      .map(([format, [count, steps]]) => `  ${format}: ${count} trajectories, ${steps} entries`);
    const reasons = new Map<string, number>();
    for (const skip of skips) reasons.set(skip.reason, (reasons.get(skip.reason) ?? 0) + 1);
    console.log(
      [
        ...rows,
        `  refused: ${refused.length}`,
        ...refused.map((item) => `    ${item.key} ${item.position ?? ""}: ${item.reason}`),
        `  skipped: ${skips.length}`,
        ...[...reasons].map(([reason, count]) => `    ${count} x ${reason}`),
      ].join("\n"),
    );
    const under = (folder: string) =>
      all.filter(({ key, trajectory }) => key.startsWith(folder) && trajectory.parentKey === null).length;
    expect(under("harbor-jobs/")).toBe(198);
    expect(under("mini-swe-agent-v1/swebench")).toBe(55);
    expect(under("labelled/who-and-when/")).toBe(92);
    expect(
      all.filter(({ trajectory }) => trajectory.format === "swe-agent" && !/ya?ml$/.test(trajectory.name ?? "")).length,
    ).toBeGreaterThanOrEqual(11);
  });

  it("has one hash a trajectory", () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const { key, trajectory, hash } of all) {
      const name = `${key}#${trajectory.key}`;
      const other = seen.get(hash);
      if (other) twice.push(`${name} = ${other}`);
      seen.set(hash, name);
    }
    expect(twice).toEqual([]);
  });

  it("gives the same steps after export and re-import, as ATIF and as chat lines", async () => {
    const wrong: string[] = [];
    for (const { key, trajectory } of all) {
      const before = stepsFingerprint(trajectory.steps);
      for (const [name, text] of [
        ["x.json", JSON.stringify(toAtif(trajectory))],
        ["x.jsonl", `${toChatLine(trajectory)}\n`],
      ] as const) {
        const [again] = await readFile(name, text);
        const place = `${key}#${trajectory.key} as ${name}`;
        if (!again || stepsFingerprint(again.steps) !== before) wrong.push(place);
        else if (JSON.stringify(besides(again)) !== JSON.stringify(besides(trajectory)))
          wrong.push(`${place}: times, usage or labels`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it("keeps the labels of people", () => {
    const labels = (dataset: string) =>
      all.flatMap(({ trajectory }) => trajectory.labels.filter((label) => label.dataset === dataset));
    expect(labels("who-and-when")).toHaveLength(92);
    expect(labels("agentrx").length).toBeGreaterThan(14);
    expect(labels("agentrx").filter((label) => label.root)).toHaveLength(14);
  });
});
