import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { recordedStep } from "@/lib/prefix/testing";
import { stepText } from "@/lib/profile/roles/transcript";
import { readAnswer } from "@/lib/reward/behaviorJudge/model";
import { observation } from "@/lib/sandbox/observation";
import { StepLogs } from "@/lib/train/readback/stepLog";

const PYTHON = path.join(import.meta.dirname, "python");
const python = ["/usr/bin/python3", "python3"].find((name) => spawnSync(name, ["--version"]).status === 0);
if (!python) console.log("python3 is not on this machine: the tests of the environment package are skipped");
const withPython = python ? test : test.skip;
const inPython = (code: string, input: unknown): unknown =>
  JSON.parse(
    execFileSync(
      python as string,
      ["-B", "-c", `import json, sys\nfrom misstep_env import *\ngiven = json.load(sys.stdin)\n${code}`],
      {
        cwd: PYTHON,
        input: JSON.stringify(input),
        encoding: "utf8",
      },
    ),
  );

describe("the environment package", () => {
  withPython("keeps its rules", () => {
    const run = spawnSync(python as string, ["-B", "-m", "unittest", "test_environment"], {
      cwd: PYTHON,
      encoding: "utf8",
    });
    expect([run.status, run.status === 0 ? "" : run.stderr]).toEqual([0, ""]);
  });

  withPython("reads replies and writes steps and observations as Misstep does", () => {
    const replies = [
      "<answer>yes</answer>",
      "<think>no <answer>no</answer></think> <answer>YES</answer>",
      "<think>never closed <answer>no</answer>",
      "hm</think><answer>no</answer>",
      "<answer>yes</answer> or <answer>no</answer>",
      "<answer>maybe</answer>",
      "nothing",
      "`</think>` <answer>no</answer>",
    ];
    const read = inPython("print(json.dumps([read_answer(r)[0] for r in given]))", replies);
    expect(read).toEqual(replies.map((r) => (readAnswer(r).ok ? (readAnswer(r) as { output: string }).output : null)));
    const steps = [recordedStep("ls", "a"), recordedStep(null), recordedStep("echo '  '", "   ")];
    const given = steps.map((s) => ({ command: s.call?.command ?? null, output: s.observations[0]?.content ?? null }));
    expect(
      inPython("print(json.dumps([step_text(i, s['command'], s['output']) for i, s in enumerate(given, 1)]))", given),
    ).toEqual(steps.map((s, i) => stepText(s, i + 1)));
    const streams = [
      ["", ""],
      ["out\n", ""],
      ["", "bad"],
      ["out", "bad"],
      ["é𝄞".repeat(9000), "end"],
    ];
    const stream = (head: string) => ({ head, lostChars: 0, tail: "" });
    const code =
      "from misstep_env.replay import observation\nprint(json.dumps([observation(o, e, 3) for o, e in given]))";
    expect(inPython(code, streams)).toEqual(streams.map(([o = "", e = ""]) => observation(stream(o), stream(e), 3)));
  });

  withPython("writes a step log that is read back", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-steps-"));
    try {
      const code = [
        "from misstep_env.steplog import StepLog",
        "log = StepLog(given)",
        "log.write('begin', 2**48 - 1, prefix=7, task='t', at=1.5)",
        "log.write('step', 2**48 - 1, n=1, call='bash', command='printf \\ud800', output='\\u00e9\\n', exit_code=0, ms=3)",
        "log.write('step', 5, n=1, call='bash', command='other', output=None)",
        "log.write('end', 2**48 - 1, ended='submitted', verdict='no')",
        "print(1)",
      ].join("\n");
      inPython(code, folder);
      const logs = new StepLogs(folder);
      logs.refresh();
      expect(logs.episode(2 ** 48 - 1)).toMatchObject({
        begin: { prefix: 7, task: "t", at: 1.5 },
        steps: [{ command: "printf \ud800", output: "é\n", exit_code: 0, ms: 3 }],
        end: { ended: "submitted", verdict: "no" },
      });
      expect(logs.episode(6)).toBeNull();
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
