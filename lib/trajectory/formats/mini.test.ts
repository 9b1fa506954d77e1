import { describe, expect, it } from "vitest";
import { SAMPLES } from "@/lib/trajectory/samples";
import { importOne } from "@/lib/trajectory/testing";

describe("mini-SWE-agent", () => {
  it("1: fenced action, wrapped output, format error, exit message", async () => {
    const [run] = (await importOne(SAMPLES.mini1 as object)).trajectories;
    expect(run).toMatchObject({
      format: "mini-swe-agent-1",
      task: "proj__proj-1",
      exitStatus: "Submitted",
      usage: { costUsd: 0.5, promptTokens: 10 },
      artifacts: [{ name: "submission", text: "diff\n" }],
    });
    expect(run!.steps.map((step) => [step.kind, step.note, step.call?.command ?? null])).toEqual([
      ["system", null, null],
      ["user", null, null],
      ["agent", null, "ls -a"],
      ["agent", null, null],
      ["user", "format-error", null],
      ["agent", null, "echo COMPLETE"],
      ["user", "exit", null],
    ]);
    const [item] = run!.steps[2]!.observations;
    expect(item).toMatchObject({ exitCode: 2, full: null });
    expect(item!.content!.slice(...item!.output!)).toBe("ls: oops\n");
    expect(run!.steps[2]!.message).toContain("```bash");
  });

  it("2: the whole output behind a shortened one, a cost of 0 as unknown, the exit message", async () => {
    const [run] = (await importOne(SAMPLES.mini2 as object)).trajectories;
    expect(run).toMatchObject({ format: "mini-swe-agent-2", formatVersion: "mini-swe-agent-1.1", startedAt: null });
    expect(run!.usage.costUsd).toBe(0.1);
    expect(run!.steps[1]).toMatchObject({
      message: null,
      time: { raw: 1700000000.5, ms: 1700000000500 },
      call: { id: "a", command: "cat big" },
    });
    const [item] = run!.steps[1]!.observations;
    expect(item).toMatchObject({ exitCode: 0, full: "abcdefxyz" });
    expect(item!.content!.slice(...item!.output!)).toMatch(/^abc\n[\s\S]*xyz\n$/);
    expect(run!.steps[2]).toMatchObject({ kind: "user", note: "exit", message: "" });
  });

  it("2: replies of the responses API, which have no role", async () => {
    const { trajectories } = await importOne({
      trajectory_format: "mini-swe-agent-1.1",
      info: {},
      messages: [
        {
          object: "response",
          output: [
            { type: "reasoning", summary: [{ type: "summary_text", text: "why" }] },
            { type: "message", content: [{ type: "output_text", text: "Look." }] },
            { type: "function_call", call_id: "f", name: "bash", arguments: '{"command": "ls"}' },
          ],
        },
        {
          type: "function_call_output",
          call_id: "f",
          output: "<returncode>0</returncode>\n<output>\na\n</output>",
          extra: { raw_output: "a\n", returncode: 0 },
        },
      ],
    });
    expect(trajectories[0]!.steps).toMatchObject([
      {
        kind: "agent",
        thinking: "why",
        message: "Look.",
        call: { id: "f", command: "ls" },
        observations: [{ exitCode: 0, full: null }],
      },
    ]);
  });

  it("a later version is read, with a warning; the oldest files name none", async () => {
    const later = await importOne({ ...(SAMPLES.mini2 as object), trajectory_format: "mini-swe-agent-9" });
    expect(later.trajectories[0]!.warnings[0]?.path).toBe("/trajectory_format");
    const { trajectory_format: _, ...oldest } = SAMPLES.mini1 as { [key: string]: never };
    expect((await importOne(oldest)).trajectories[0]?.format).toBe("mini-swe-agent-1");
  });
});
