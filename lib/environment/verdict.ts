import { parseCtrf, parsePytest, type TestCase } from "./ctrf";
import type { EnvironmentSpec, TestRun } from "./types";

/** What the hidden tests left behind, before it is read. Texts are null when the file is not there. */
export interface Evidence {
  kind: EnvironmentSpec["kind"];
  rewardText: string | null;
  rewardJson: string | null;
  ctrf: string | null;
  exitCode: number;
  timedOut: boolean;
  log: string;
  durationMs: number;
  timeoutSec: number;
  /** A command of the tests that needs a network; null: none is seen. */
  needsNetwork: string | null;
  /** Whether the sandbox had one. */
  hasNetwork: boolean;
}

type Reading = { reward: number; rewards: Record<string, number> } | { why: string };

function fromJson(text: string): Reading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: "reward.json is no JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { why: "reward.json is no object" };
  const rewards = Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
  const names = Object.keys(rewards);
  const reward = rewards.reward ?? (names.length === 1 ? rewards[names[0] ?? ""] : undefined);
  if (reward === undefined) return { why: `reward.json names no single reward (${names.join(", ") || "no number"})` };
  return { reward, rewards };
}

function reading(e: Evidence, tests: TestCase[]): Reading {
  if (e.rewardText !== null) {
    const reward = e.rewardText.trim() === "" ? Number.NaN : Number(e.rewardText.trim());
    if (!Number.isFinite(reward))
      return { why: `reward.txt holds no number: ${JSON.stringify(e.rewardText.slice(0, 60))}` };
    return { reward, rewards: { reward } };
  }
  if (e.rewardJson !== null) return fromJson(e.rewardJson);
  if (e.kind !== "terminal-bench") return { why: `the tests wrote no reward (exit code ${e.exitCode})` };
  // Terminal-Bench: every test of the summary must pass; without a summary the tests did not run.
  if (tests.length === 0) {
    if (e.exitCode === 0) return { reward: 1, rewards: { reward: 1 } };
    return { why: `the tests printed no summary and ended with exit code ${e.exitCode}: they did not run` };
  }
  const reward = tests.every((t) => t.status === "passed" || t.status === "skipped") && e.exitCode === 0 ? 1 : 0;
  return { reward, rewards: { reward } };
}

/** What programs print when a network is there and leads nowhere. */
const UNREACHABLE =
  /temporary failure (in name resolution|resolving)|could not resolve host|network is unreachable|name or service not known|no route to host|failed to (download|fetch)/i;

/** Why tests that use a network could not have it; null: they could, or need none. */
function networkProblem(e: Evidence): string | null {
  if (e.needsNetwork === null) return null;
  if (!e.hasNetwork) return `the tests use a network (${e.needsNetwork}), and the sandbox has none`;
  return UNREACHABLE.test(e.log) ? `the tests use a network (${e.needsNetwork}), and it could not be reached` : null;
}

/**
 * r_o from what the tests left: reward.txt, else reward.json, else (Terminal-Bench) summary and exit code. Whatever kept
 * them from running makes the run void and never 0.
 */
export function judge(e: Evidence): TestRun {
  const tests = (e.ctrf === null ? null : parseCtrf(e.ctrf)) ?? parsePytest(e.log);
  const common = { tests, exitCode: e.exitCode, log: e.log, durationMs: e.durationMs };
  const voided = (why: string): TestRun => ({
    ...common,
    status: "void",
    reward: null,
    rewards: {},
    voidReason: why,
  });
  if (e.timedOut) return voided(`the tests did not end within ${e.timeoutSec} s`);
  const read = reading(e, tests);
  const network = networkProblem(e);
  if ("why" in read) return voided(network ? `${network}; ${read.why}` : read.why);
  if (network && read.reward < 1) return voided(network);
  return { ...common, status: "done", reward: read.reward, rewards: read.rewards, voidReason: null };
}
