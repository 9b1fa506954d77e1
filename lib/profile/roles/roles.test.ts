import { expect, test } from "vitest";
import { SUBMIT } from "@/lib/environment/suite/family";
import { generate } from "@/lib/environment/suite/generate";
import type { Prefix, Proposal, RoleEnvironment } from "@/lib/profile/roles";
import { RoleFailure } from "@/lib/profile/roles";
import { run, system, user } from "@/lib/profile/rules/steps.fixture";
import type { ExecResult } from "@/lib/sandbox/types";
import { rulesLocalizer } from "./rulesLocalizer";
import { suiteTeacher } from "./suiteTeacher";

const say = (command: string | null, over: Partial<Proposal> = {}): Proposal => ({
  thinking: null,
  command,
  message: null,
  formatError: null,
  reply: null,
  usage: null,
  ...over,
});
const environment: RoleEnvironment = { id: 1, name: "tiny-count-0", family: "count", seed: 0, instruction: "i" };
const prefix = (...steps: Prefix["steps"]): Prefix => ({
  environment,
  steps: [system("exactly one bash command"), user("i"), ...steps],
});

test("the rules say what they saw and why, also of a good step and of an empty reply", async () => {
  const failed = run("make", "make: *** [all] Error 1", 2);
  expect(await rulesLocalizer.judge(prefix(failed), say("make"))).toMatchObject({
    verdict: "bad",
    commandSeen: "make",
    findings: [{ misbehavior: "retry-same-cause", evidence: [{ step: 2 }, { step: 2 }, { step: 3 }] }],
  });
  for (const proposal of [say("ls"), say(""), say(null), say(null, { message: "Done." })]) {
    const { commandSeen, reason, verdict } = await rulesLocalizer.judge(prefix(failed), proposal);
    expect(commandSeen).not.toBe("");
    expect(reason).toBeTruthy();
    expect(verdict).toBe(proposal.command === null ? "bad" : "good");
  }
});

test("the teacher goes on from the prefix and the state: it looks, acts, verifies, submits; another try is another right move", async () => {
  const { instance } = generate("count", 0);
  const asked: string[] = [];
  const look = (stdout: string) => async (command: string) => {
    asked.push(command);
    return { stdout } as ExecResult;
  };
  const next = async (steps: Prefix["steps"], state: string, attempt = 1) =>
    (await suiteTeacher.correct(prefix(...steps), attempt, look(state))).command;
  const looked = run(instance.look[0]?.command ?? "", "x");
  const acted = run("printf 3 > a.txt", "");
  const verified = run(instance.verify[0]?.command ?? "", "3");
  expect(await next([], "")).toBe(instance.look[0]?.command);
  expect(await next([looked], "")).toBe(instance.act(new Set()).command);
  expect(await next([looked, acted], "done")).toBe(instance.verify[0]?.command);
  expect(await next([looked, acted, verified], "done")).toBe(SUBMIT);
  // What was rejected before does not matter; what lies in the sandbox does, and it is asked without leaving a trace.
  expect(asked.every((command) => command.startsWith("( cd /app;") && command.endsWith(")"))).toBe(true);
  const tries = await Promise.all([1, 2].map((attempt) => next([], "", attempt)));
  if (instance.look.length > 1) expect(new Set(tries).size).toBe(2);
});

test("an environment that is not of the suite is no failure of the policy: the teacher says why it cannot help", async () => {
  const foreign = { ...prefix(), environment: { ...environment, name: "mend-harvest", family: null, seed: null } };
  const asked = suiteTeacher.correct(foreign, 1, () => Promise.reject(new Error("not asked")));
  await expect(asked).rejects.toThrow(RoleFailure);
  await expect(asked).rejects.toThrow(/mend-harvest is no generated environment/);
});
