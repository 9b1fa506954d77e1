import { describe, expect, test } from "vitest";
import { BudgetReached } from "@/lib/model/chat/types";
import { scriptedSandbox } from "@/lib/sandbox/scripted";
import { SandboxFailure } from "@/lib/sandbox/types";
import type { Policy, Proposal, Teacher } from "./roles";
import { RoleFailure } from "./roles";
import { rulesLocalizer } from "./roles/rulesLocalizer";
import { type Roles, RolloutCancelled, type RolloutSettings, RolloutVoid, rollOut } from "./rollout";
import { localize } from "./rules";

const SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
const never = new AbortController().signal;

const say = (command: string | null, over: Partial<Proposal> = {}): Proposal => ({
  thinking: "t",
  command,
  message: null,
  formatError: null,
  reply: null,
  usage: null,
  ...over,
});
type Reply = Proposal | "context" | Error;

/** A policy that says these things in turn, whatever it sees; what it saw is in `seen`. */
function policy(replies: Reply[], seen: string[][] = []): Policy {
  return {
    name: "test",
    checkpointId: 1,
    open: () => {
      let n = 0;
      return {
        async propose(prefix) {
          seen.push(prefix.steps.map((s) => s.call?.command ?? s.message ?? ""));
          const reply = replies[n++] ?? say(`echo ${n}`);
          if (reply instanceof Error) throw reply;
          return reply;
        },
        close: () => undefined,
      };
    },
    close: async () => undefined,
  };
}

function teacher(replies: (Proposal | Error)[], asked: unknown[] = []): Teacher {
  let n = 0;
  return {
    kind: "rule",
    name: "test-teacher",
    version: "1",
    async correct(prefix, attempt) {
      asked.push({ attempt, steps: prefix.steps.map((s) => s.call?.command ?? null).filter((c) => c !== null) });
      const reply = replies[n++] ?? say("echo more");
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
}

const settings: RolloutSettings = {
  mode: "profile",
  stepLimit: 6,
  commandMs: 1000,
  tries: 3,
  formatErrorsInARow: null,
};
const environment = { id: 1, name: "e", family: null, seed: null, instruction: "Do it." };
const script = (command: string) =>
  command === SUBMIT
    ? { output: "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", submitted: true }
    : command.startsWith("make")
      ? { output: "make: *** [all] Error 1", exitCode: 2 }
      : { output: command.replace("echo ", "") };

function go(roles: Partial<Roles> & Pick<Roles, "policy">, over: Partial<RolloutSettings> = {}, log: string[] = []) {
  const sandbox = scriptedSandbox(script, log);
  return rollOut(
    { environment, number: 1, seed: 1, settings: { ...settings, ...over } },
    { localizer: rulesLocalizer, alongside: [], teacher: null, ...roles },
    sandbox,
    never,
  );
}
const shape = (
  steps: { kind: string; note: string | null; call: { command: string | null } | null; message: string | null }[],
) => steps.slice(2).map((s) => [s.note ?? s.kind, s.call?.command ?? null]);

describe("a rollout", () => {
  test("runs what the policy proposes until a command submits; it saw the task and every output", async () => {
    const seen: string[][] = [];
    const log: string[] = [];
    const r = await go({ policy: policy([say("echo a"), say(SUBMIT)], seen) }, {}, log);
    expect(r).toMatchObject({ status: "finished", ended: "submitted", steps: 2, errorSteps: 0 });
    expect(log).toEqual(["echo a", SUBMIT]);
    expect(seen[1]).toEqual([expect.stringContaining("exactly one bash command"), "Do it.", "echo a"]);
    expect(r.trajectory.steps[2]?.observations[0]?.content).toBe("a\n\n(exit_code=0)");
    expect(r.trajectory.steps.map((s) => s.turn)).toEqual([null, null, 0, 1]);
  });

  test("a flagged step does not run; the teacher's step runs in its place and the policy goes on from there", async () => {
    const seen: string[][] = [];
    const asked: unknown[] = [];
    const log: string[] = [];
    const r = await go(
      {
        policy: policy([say("make"), say("make"), say(SUBMIT)], seen),
        teacher: teacher([say("echo fixed")], asked),
      },
      {},
      log,
    );
    expect(shape(r.trajectory.steps)).toEqual([
      ["agent", "make"],
      ["rejected", "make"],
      ["correction", "echo fixed"],
      ["agent", SUBMIT],
    ]);
    expect(log).toEqual(["make", "echo fixed", SUBMIT]);
    expect(r).toMatchObject({ status: "finished", steps: 3, errorSteps: 1, corrections: 1 });
    // The teacher saw neither the step nor the reason; the policy sees the correction as its own.
    expect(asked).toEqual([{ attempt: 1, steps: ["make"] }]);
    expect(seen[2]?.slice(2)).toEqual(["make", "echo fixed"]);
    expect(r.records[1]).toMatchObject({ index: 3, tries: [{ attempt: 1, accepted: true }] });
    expect(r.trajectory.steps[4]).toMatchObject({ actor: "test-teacher", turn: 2 });
    expect(r.trajectory.steps[3]?.observations).toEqual([]);
  });

  test("what was said while it ran is what a scan of the stored steps says, evidence included", async () => {
    const r = await go({
      policy: policy([say("make"), say("make"), say("make"), say(null), say(SUBMIT)]),
      teacher: teacher([say("make"), say("echo x"), say("echo y"), say("echo z")]),
    });
    const live = r.records.flatMap(({ index, verdict }) =>
      verdict && "judgement" in verdict
        ? verdict.judgement.findings.map((f) => ({ step: index, ...f, commandSeen: verdict.judgement.commandSeen }))
        : [],
    );
    expect(live.length).toBeGreaterThan(2);
    expect(localize(r.trajectory.steps, { beforeRun: true })).toEqual(live);
  });

  test("each try of the teacher is judged by the same localizer; three rejected ones discard the rollout", async () => {
    const log: string[] = [];
    const again = [say("make"), say("make 2>&1"), say(null)];
    const r = await go({ policy: policy([say("make"), say("make")]), teacher: teacher(again) }, {}, log);
    expect(r).toMatchObject({ status: "discarded", ended: null, corrections: 3, steps: 2 });
    expect(log).toEqual(["make"]);
    expect(r.records[1]?.tries.map((t) => t.accepted)).toEqual([false, false, false]);
    expect(r.trajectory).toMatchObject({ exitStatus: "discarded", outcome: "unknown" });
    expect(shape(r.trajectory.steps).at(-1)).toEqual(["rejected", "make"]);
  });

  test("a teacher that gives no step has tried in vain, and says why", async () => {
    const r = await go({
      policy: policy([say("make"), say("make")]),
      teacher: teacher(Array.from({ length: 6 }, () => new RoleFailure("failed", "no family"))),
    });
    expect(r).toMatchObject({ status: "discarded", teacherFailures: 3 });
    expect(r.records[1]?.tries[2]).toMatchObject({ proposal: null, failure: { kind: "failed", message: "no family" } });
  });

  test("nobody interferes in the mode plain: flagged steps run, a reply without a command gets the fixed message", async () => {
    const seen: string[][] = [];
    const log: string[] = [];
    const replies = [say(null, { message: "Done." }), say("make"), say("make"), say(SUBMIT)];
    const r = await go({ policy: policy(replies, seen), teacher: teacher([]) }, { mode: "plain" }, log);
    expect(log).toEqual(["make", "make", SUBMIT]);
    expect(r).toMatchObject({ steps: 4, errorSteps: 2, corrections: 0 });
    expect(shape(r.trajectory.steps).slice(0, 2)).toEqual([
      ["agent", null],
      ["format-error", null],
    ]);
    expect(seen[1]?.at(-1)).toMatch(/holds no command/);
  });

  test("ends at the step limit, and when the prefix no longer fits the policy", async () => {
    expect(await go({ policy: policy([]) }, { stepLimit: 3 })).toMatchObject({ ended: "steps", steps: 3 });
    expect(await go({ policy: policy([say("echo a"), "context"]) })).toMatchObject({ ended: "context", steps: 1 });
  });

  test("a localizer without an answer is not asked again; the step runs unjudged and is counted", async () => {
    let calls = 0;
    const localizer = {
      ...rulesLocalizer,
      judge: async () => {
        calls++;
        throw new RoleFailure("unparsed", "no verdict in it", "hm", 7);
      },
    };
    const r = await go({ policy: policy([say("make"), say(SUBMIT)]), localizer, teacher: teacher([]) });
    expect(r).toMatchObject({ ended: "submitted", unjudged: 2, errorSteps: 0 });
    expect(calls).toBe(2);
    expect(r.records[0]?.verdict).toEqual({
      failure: { kind: "unparsed", message: "no verdict in it", reply: "hm", callId: 7 },
    });
  });

  test("a try of the teacher that got no verdict is not accepted", async () => {
    const log: string[] = [];
    let calls = 0;
    const localizer = {
      ...rulesLocalizer,
      judge: (...given: Parameters<typeof rulesLocalizer.judge>) =>
        ++calls === 3 ? Promise.reject(new RoleFailure("failed", "503")) : rulesLocalizer.judge(...given),
    };
    const roles = {
      policy: policy([say("make"), say("make"), say(SUBMIT)]),
      localizer,
      teacher: teacher([say("echo unseen"), say("echo seen")]),
    };
    const r = await go(roles, {}, log);
    expect(log).toEqual(["make", "echo seen", SUBMIT]);
    expect(r).toMatchObject({ status: "finished", corrections: 2, unjudged: 1 });
    expect(r.records[1]?.tries).toMatchObject([
      { accepted: false, verdict: { failure: { kind: "failed" } } },
      { accepted: true },
    ]);
  });

  test("a policy that does not answer, and a sandbox that dies, make it void; cancelling leaves nothing", async () => {
    const down = new RoleFailure("failed", "503");
    await expect(go({ policy: policy([down]) })).rejects.toThrow(RolloutVoid);
    // No more may be spent: that is no statement about the rollout.
    await expect(go({ policy: policy([new BudgetReached("used up")]) })).rejects.toThrow(BudgetReached);
    const sandbox = scriptedSandbox(() => {
      throw new SandboxFailure("died", "killed as a whole");
    });
    const plan = { environment, number: 1, seed: 1, settings };
    const roles = { policy: policy([]), localizer: null, alongside: [], teacher: null };
    await expect(rollOut(plan, roles, sandbox, never)).rejects.toThrow(/sandbox failed at step 1: killed as a whole/);
    const stop = new AbortController();
    const stopping = scriptedSandbox((c) => {
      stop.abort();
      return script(c);
    });
    await expect(rollOut(plan, roles, stopping, stop.signal)).rejects.toThrow(RolloutCancelled);
    const gone = scriptedSandbox(() => {
      throw new SandboxFailure("host-gone", "the host ended");
    });
    await expect(rollOut(plan, roles, gone, never)).rejects.toThrow("the host ended");
  });

  test("replies without a command end it when there are more in a row than allowed; none is answered at the end", async () => {
    const nothing = say(null, { formatError: "no call" });
    const replies = [nothing, say("echo a"), nothing, nothing, say(SUBMIT)];
    const ended = await go({ policy: policy(replies) }, { mode: "plain", formatErrorsInARow: 1 });
    expect(ended).toMatchObject({ status: "finished", ended: "format", steps: 4, formatErrors: 3 });
    expect(ended.trajectory.exitStatus).toBe("format errors");
    expect(ended.trajectory.steps.at(-1)).toMatchObject({ kind: "agent", call: null });
    const first = await go({ policy: policy(replies) }, { mode: "plain", formatErrorsInARow: 0 });
    expect(first).toMatchObject({ ended: "format", steps: 1 });
    expect(await go({ policy: policy(replies) }, { mode: "plain", formatErrorsInARow: 2 })).toMatchObject({
      ended: "submitted",
    });
  });

  test("localizers beside the one that acts judge the same steps; what they say is kept and changes nothing", async () => {
    const harsh = {
      ...rulesLocalizer,
      name: "harsh",
      judge: async () => ({
        verdict: "bad" as const,
        commandSeen: "x",
        reason: "r",
        findings: [],
        reply: null,
        usage: null,
      }),
    };
    const silent = { ...rulesLocalizer, judge: async () => Promise.reject(new RoleFailure("failed", "503")) };
    const r = await go({
      policy: policy([say("echo a"), say(SUBMIT)]),
      alongside: [harsh, silent],
      teacher: teacher([]),
    });
    expect(r).toMatchObject({ ended: "submitted", errorSteps: 0, unjudged: 0, corrections: 0 });
    expect(r.records.map((one) => one.others)).toMatchObject([
      [{ judgement: { verdict: "bad" } }, { failure: { kind: "failed", message: "503" } }],
      [{ judgement: { verdict: "bad" } }, { failure: { kind: "failed" } }],
    ]);
  });

  test("counts malformed replies, sampled tokens, and keeps what is known of injected steps", async () => {
    const usage = { promptTokens: 9, completionTokens: 5, cachedTokens: null, reasoningTokens: null, costUsd: null };
    const r = await go(
      {
        policy: policy([
          say(null, { formatError: "two commands", usage }),
          say("echo a", { truth: "unneeded-checks", usage }),
          say(SUBMIT, { truth: null }),
        ]),
      },
      { mode: "catch" },
    );
    expect(r).toMatchObject({ formatErrors: 1, tokens: 10 });
    expect(r.records.map((x) => x.truth)).toEqual([undefined, "unneeded-checks", null]);
  });
});
