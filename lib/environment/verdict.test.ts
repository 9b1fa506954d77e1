import { expect, test } from "vitest";
import { type Evidence, judge } from "./verdict";

const base: Evidence = {
  kind: "harbor",
  rewardText: null,
  rewardJson: null,
  ctrf: null,
  exitCode: 0,
  timedOut: false,
  log: "",
  durationMs: 1,
  timeoutSec: 60,
  needsNetwork: null,
  hasNetwork: false,
};
const SUMMARY = (lines: string[]) =>
  ["=== short test summary info ===", ...lines, "=== 1 failed, 1 passed ==="].join("\n");

test("reward.txt decides, whatever the exit code and reward.json say; numbers between stay", () => {
  expect(judge({ ...base, rewardText: "0.25\n", rewardJson: '{"reward": 1}', exitCode: 1 })).toMatchObject({
    status: "done",
    reward: 0.25,
  });
  expect(judge({ ...base, rewardText: "0\n" })).toMatchObject({ status: "done", reward: 0, voidReason: null });
});

test("reward.json: the one called reward, or the only one", () => {
  expect(judge({ ...base, rewardJson: '{"reward": 0.5, "style": 1}' })).toMatchObject({
    reward: 0.5,
    rewards: { reward: 0.5, style: 1 },
  });
  expect(judge({ ...base, rewardJson: '{"accuracy": 0.75}' })).toMatchObject({ reward: 0.75 });
  expect(judge({ ...base, rewardJson: '{"a": 1, "b": 0}' })).toMatchObject({ status: "void", reward: null });
});

test.each([
  ["no reward at all", {}, /wrote no reward \(exit code 0\)/],
  ["a reward that is no number", { rewardText: "yes" }, /no number/],
  ["an empty reward", { rewardText: "\n" }, /no number/],
  ["tests that did not end", { timedOut: true, rewardText: "0" }, /did not end within 60 s/],
  [
    "tests without their network",
    { rewardText: "0", needsNetwork: "apt-get update" },
    /use a network \(apt-get update\)/,
  ],
])("%s: void, never 0", (_, evidence, reason) => {
  const run = judge({ ...base, ...evidence });
  expect(run).toMatchObject({ status: "void", reward: null });
  expect(run.voidReason).toMatch(reason);
});

test("with a network, only tests that could not reach it are void", () => {
  const online = { ...base, rewardText: "0", needsNetwork: "apt-get update", hasNetwork: true };
  expect(judge(online)).toMatchObject({ status: "done", reward: 0 });
  const log = "W: Failed to fetch http://deb.example/InRelease  Temporary failure resolving 'deb.example'";
  expect(judge({ ...online, log })).toMatchObject({
    status: "void",
    reward: null,
    voidReason: expect.stringMatching(/not be reached/),
  });
});

test("tests that pass although they name a network count", () => {
  expect(judge({ ...base, rewardText: "1", needsNetwork: "curl x" })).toMatchObject({ status: "done", reward: 1 });
});

test("Terminal-Bench: all tests of the summary must pass; no summary means they did not run", () => {
  const tb = { ...base, kind: "terminal-bench" as const };
  const failed = judge({
    ...tb,
    exitCode: 1,
    log: SUMMARY(["PASSED tests/a.py::one", "FAILED tests/a.py::two - assert 1 == 2"]),
  });
  expect(failed).toMatchObject({ status: "done", reward: 0 });
  expect(failed.tests).toEqual([
    { name: "tests/a.py::one", status: "passed", message: null },
    { name: "tests/a.py::two", status: "failed", message: "assert 1 == 2" },
  ]);
  expect(judge({ ...tb, log: SUMMARY(["PASSED tests/a.py::one"]) })).toMatchObject({ reward: 1 });
  expect(judge({ ...tb, exitCode: 127, log: "uv: command not found" })).toMatchObject({ status: "void", reward: null });
});

test("ctrf.json gives the test cases; a broken one is as if it were not there", () => {
  const ctrf = JSON.stringify({
    results: {
      tests: [
        { name: "a", status: "passed" },
        { name: "b", status: "pending", message: "m" },
      ],
    },
  });
  expect(judge({ ...base, rewardText: "1", ctrf }).tests).toEqual([
    { name: "a", status: "passed", message: null },
    { name: "b", status: "other", message: "m" },
  ]);
  expect(judge({ ...base, rewardText: "1", ctrf: "{" }).tests).toEqual([]);
});
