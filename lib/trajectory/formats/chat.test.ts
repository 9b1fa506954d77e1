import { describe, expect, it } from "vitest";
import { SAMPLES } from "@/lib/trajectory/samples";
import { importOne } from "@/lib/trajectory/testing";

const first = async (content: object | string, name?: string) => {
  const { trajectories, results } = await importOne(content, name);
  expect(trajectories, JSON.stringify(results)).toHaveLength(1);
  return trajectories[0]!;
};

describe("chat", () => {
  it("makes one step a call, keeps thinking apart and matches results by id", async () => {
    const { steps, task, model, reward, outcome, name } = await first(SAMPLES.chat as object);
    expect({ task, model, reward, outcome, name }).toEqual({
      task: "count",
      model: "m",
      reward: 0,
      outcome: "failed",
      name: "count__1",
    });
    expect(steps.map((step) => [step.kind, step.turn, step.note])).toEqual([
      ["system", null, null],
      ["user", null, null],
      ["agent", 0, null],
      ["agent", 1, null],
      ["user", null, "format-error"],
      ["agent", 2, null],
      ["agent", 2, null],
    ]);
    const [, , think, , , a, b] = steps;
    expect(think).toMatchObject({
      thinking: "\nwc will do.\n",
      message: "\n\nLet me count.",
      call: { id: "c1", command: "wc -l notes.txt", arguments: '{"command": "wc -l notes.txt"}' },
    });
    expect(think?.observations).toMatchObject([{ exitCode: 0, output: [0, 11] }]);
    expect(a?.message).toBeNull();
    expect(a?.observations).toMatchObject([{ callId: "c2", exitCode: 0, output: [0, 0] }]);
    expect(b).toMatchObject({
      call: { command: "false", arguments: { command: "false" } },
      observations: [{ callId: "c3", exitCode: 1 }],
    });
  });

  it("gives results without ids to the calls in order, and one shared result to the last call", async () => {
    const calls = ["a", "b"].map((command) => ({ function: { name: "bash", arguments: { command } } }));
    const ordered = await first([
      { role: "assistant", content: "x", tool_calls: calls },
      { role: "tool", content: "1" },
      { role: "tool", content: "2" },
    ]);
    expect(ordered.steps.map((step) => step.observations[0]?.content)).toEqual(["1", "2"]);
    const shared = await first([
      { role: "assistant", content: "x", tool_calls: calls },
      { role: "tool", content: "both" },
    ]);
    expect(shared.steps.map((step) => step.observations.length)).toEqual([0, 1]);
  });

  it("reads calls that stand in the text, and the user message that answers them", async () => {
    const { steps } = await first([
      {
        role: "assistant",
        content: 'I look.\n<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>',
      },
      { role: "user", content: "<tool_response>\na.py\n</tool_response>" },
      {
        role: "assistant",
        content:
          "<tool_call>\n<function=bash>\n<parameter=command>\ncat <<EOF\n1\nEOF\n</parameter>\n</function>\n</tool_call><tool_call><function=bash><parameter=command>pwd</parameter></function></tool_call>",
      },
      { role: "user", content: "<tool_response>\n1\n</tool_response>\n<tool_response>\n/\n</tool_response>" },
      { role: "user", content: "Go on." },
    ]);
    expect(steps.map((step) => [step.kind, step.turn, step.call?.command ?? null])).toEqual([
      ["agent", 0, "ls"],
      ["agent", 1, "cat <<EOF\n1\nEOF"],
      ["agent", 1, "pwd"],
      ["user", null, null],
    ]);
    const inner = steps.flatMap((step) => step.observations.map((item) => item.content!.slice(...item.output!)));
    expect(inner).toEqual(["a.py", "1", "/"]);
    expect(steps[0]?.message).toContain("<tool_call>");
  });

  it("splits thinking whose opening tag the template wrote, and leaves other mentions of it alone", async () => {
    const { steps } = await first([
      { role: "assistant", content: "reasons</think>\n\nanswer" },
      { role: "assistant", content: "The tag <think>x</think> is literal." },
      { role: "assistant", content: "<think>cut off" },
      { role: "assistant", content: "said", reasoning_content: "" },
    ]);
    expect(steps.map((step) => [step.thinking, step.message])).toEqual([
      ["reasons", "\n\nanswer"],
      [null, "The tag <think>x</think> is literal."],
      ["cut off", ""],
      ["", "said"],
    ]);
  });

  it("reads parts, a request/response log, ShareGPT names and Anthropic blocks", async () => {
    const log = await first({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
      ],
      response: {
        choices: [{ message: { role: "assistant", content: "Yes." } }],
        usage: { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4 } },
      },
      cost: 0.5,
    });
    expect(log.steps.map((step) => step.message)).toEqual(["Hi\n[image_url]", "Yes."]);
    expect(log.usage).toEqual({
      promptTokens: 5,
      completionTokens: 1,
      cachedTokens: 4,
      reasoningTokens: null,
      costUsd: 0.5,
    });
    const share = await first({
      conversations: [
        { from: "human", value: "Hi" },
        { from: "gpt", value: "Yes." },
      ],
    });
    expect(share.steps.map((step) => [step.kind, step.message])).toEqual([
      ["user", "Hi"],
      ["agent", "Yes."],
    ]);
    const blocks = await first([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "I run it." },
          { type: "tool_use", id: "u", name: "bash", input: { command: "ls" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "u", content: [{ type: "text", text: "a" }] }] },
    ]);
    expect(blocks.steps).toMatchObject([
      {
        thinking: "hm",
        message: "I run it.",
        call: { id: "u", command: "ls" },
        observations: [{ callId: "u", content: "a" }],
      },
    ]);
  });

  it("keeps unknown roles, with a warning, and results that answer nothing", async () => {
    const odd = await first([
      { role: "user", content: "a" },
      { role: "narrator", content: "b" },
      { role: "assistant", content: "c" },
      { role: "user", content: "d" },
    ]);
    expect(odd.steps[1]).toMatchObject({ kind: "user", actor: "narrator", message: "b" });
    expect(odd.warnings[0]?.message).toContain('"narrator"');
    const orphan = await first([
      { role: "tool", content: "x", tool_call_id: "1" },
      { role: "assistant", content: "y" },
    ]);
    expect(orphan.steps[0]).toMatchObject({ kind: "user", message: null, observations: [{ content: "x" }] });
    expect(orphan.warnings).toHaveLength(1);
  });

  it("takes messages on lines of their own as one conversation, and objects on lines as one each", async () => {
    const lines = [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
    ]
      .map((line) => JSON.stringify(line))
      .join("\n");
    expect((await first(lines, "x.jsonl")).steps).toHaveLength(2);
    const many = await importOne([1, 2].map(() => JSON.stringify(SAMPLES.chat)).join("\r\n"), "y.jsonl");
    expect(many.trajectories.map((item) => item.key)).toEqual(["L1", "L2"]);
  });

  it("says unknown, not zero, of a reward that is no number", async () => {
    const nan = await first('{"messages": [{"role": "assistant", "content": "x"}], "reward": NaN}');
    expect(nan).toMatchObject({ reward: null, outcome: "unknown" });
    expect(nan.warnings.map((item) => item.message).join()).toContain("no number");
    expect(await first({ messages: [{ role: "assistant", content: "x" }] })).toMatchObject({
      reward: null,
      outcome: "unknown",
      warnings: [],
    });
  });
});
