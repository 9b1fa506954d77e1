import { expect, test } from "vitest";
import { BudgetReached, CallFailure, type ChatModel, type ChatReply, type ChatRequest } from "@/lib/model/chat/types";
import { RoleFailure } from "@/lib/profile/roles";
import { run, say as said, system, user } from "@/lib/profile/rules/steps.fixture";
import { chatOf, type DialectName } from "./dialect";
import { ChatPolicy, chatOptions, dialectNamed } from "./policy";

const reply = (over: Partial<ChatReply>): ChatReply => ({
  text: "",
  thinking: null,
  calls: [],
  finish: "stop",
  usage: { input: 10, cached: null, output: 5, reasoning: null },
  callId: 1,
  fromCache: false,
  ...over,
});
const call = (args: string, name = "bash") => ({ id: "c1", name, arguments: args });
const read = (dialect: DialectName, over: Partial<ChatReply>) => dialectNamed(dialect).read(reply(over));
const XML =
  "<tool_call>\n<function=bash>\n<parameter=command>\necho a\necho b\n</parameter>\n</function>\n</tool_call>";

test("each dialect reads its command, and what comes with it", () => {
  expect(read("tools", { text: "Look.", thinking: "hm", calls: [call('{"command":"ls"}')] })).toEqual({
    thinking: "hm",
    command: "ls",
    message: "Look.",
    formatError: null,
    reply: null,
  });
  expect(read("qwen3_xml", { text: `<think>\nhm\n</think>\n\nLook.\n${XML}` })).toMatchObject({
    thinking: "hm",
    command: "echo a\necho b",
    message: `Look.\n${XML}`,
    formatError: null,
  });
  expect(read("fenced", { text: "Look.\n```bash\ncat <<E\nx\nE\n```" })).toMatchObject({ command: "cat <<E\nx\nE" });
  // Another language is no command, and what is only thought is none either.
  expect(read("fenced", { text: "```python\nprint(1)\n```" }).command).toBeNull();
  expect(read("fenced", { text: "<think>```bash\nrm -rf /\n```</think>Nothing to do." }).command).toBeNull();
});

test.each<[DialectName, Partial<ChatReply>, string]>([
  ["tools", { text: "Done." }, "calls no tool"],
  ["tools", { calls: [call('{"command":"ls"')] }, "no JSON"],
  ["tools", { calls: [call('{"cmd":"ls"}')] }, 'no text "command"'],
  ["tools", { calls: [call('{"command":"ls"}', "python")] }, 'a call of "python"'],
  ["tools", { calls: [call('{"command":["ls"]}')] }, 'no text "command"'],
  ["tools", { calls: [call('{"command":"ls \\u0000"}')] }, "NUL character"],
  ["fenced", { text: "```bash\nls \0\n```" }, "NUL character"],
  ["tools", { text: "so I", finish: "length" }, "cut at the limit"],
  [
    "qwen3_xml",
    { text: "<tool_call>\n<function=bash>\n<parameter=command>\nls", finish: "length" },
    "cut at the limit",
  ],
  ["qwen3_xml", { text: '{"name": "bash"}' }, "no command in the form"],
  ["fenced", { text: "`ls`" }, "no command in the form"],
])("%s: a reply without a command that can be read says why (%o)", (dialect, over, why) => {
  const { command, formatError } = read(dialect, over);
  expect(command).toBeNull();
  expect(formatError).toContain(why);
});

test("of several commands the first counts, and all are kept", () => {
  const tools = read("tools", { calls: [call('{"command":"ls"}'), call('{"command":"pwd"}')] });
  expect(tools).toMatchObject({ command: "ls", formatError: expect.stringContaining("2 commands") });
  expect(tools.reply).toContain("pwd");
  const fenced = read("fenced", { text: "```bash\nls\n```\n```bash\npwd\n```" });
  expect(fenced).toMatchObject({ command: "ls", formatError: expect.stringContaining("2 commands") });
  expect(fenced.message).toContain("pwd");
});

const steps = [
  system("You work."),
  user("Do it."),
  run("ls", "a\n(exit_code=0)", 0, { thinking: "look", message: "I look." }),
  said("What now?", { thinking: null }),
  user("Nothing was run."),
  run("rm b", null, null, { note: "rejected" }),
  run("cat a", "x", 0, { note: "correction", thinking: "read it" }),
];

test("a prefix is shown as it was: thinking of earlier turns, no rejected step, a correction as its own", () => {
  const chat = chatOf(dialectNamed("tools"), steps);
  expect(chat.map((m) => m.role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
    "tool",
  ]);
  expect(chat[2]).toMatchObject({ content: "I look.", thinking: "look", calls: [{ arguments: '{"command":"ls"}' }] });
  expect(chat[3]).toMatchObject({
    callId: (chat[2] as { calls: { id: string }[] }).calls[0]?.id,
    content: "a\n(exit_code=0)",
  });
  expect(chat[7]).toMatchObject({ content: "x" });
  expect(JSON.stringify(chat)).not.toContain("rm b");
  const xml = chatOf(dialectNamed("qwen3_xml"), steps);
  expect(xml[2]?.content).toContain("<function=bash>\n<parameter=command>\nls\n");
  expect(xml[3]).toEqual({ role: "user", content: "<tool_response>\na\n(exit_code=0)\n</tool_response>" });
  // A text that holds its command is sent as it came.
  const own = run("ls", "a", 0, { message: "So:\n```bash\nls\n```" });
  expect(chatOf(dialectNamed("fenced"), [own])[0]?.content).toBe("So:\n```bash\nls\n```");
});

const environment = { id: 1, name: "e", family: null, seed: null, instruction: "Do it." };
function policyOf(replies: (Partial<ChatReply> | Error)[], over: object = {}) {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    name: "m",
    async chat(request, purpose) {
      expect(purpose).toMatchObject({ role: "policy", cache: false, promptVersion: null });
      const next = replies[asked.push(request) - 1] ?? {};
      if (next instanceof Error) throw next;
      return reply(next);
    },
  };
  const options = { ...chatOptions.parse({ model: "m" }), temperature: 1, topP: 1, ...over };
  const session = new ChatPolicy(1, "m", model, options).open({ environment, number: 1, seed: 9 });
  const prefix = { environment, steps: steps.slice(0, 3) };
  return { asked, propose: () => session.propose(prefix) };
}
const full = (message: string, status = 400) => new CallFailure(message, status, 3);

test("a turn asks for no more than the limits leave, and a full context ends the rollout", async () => {
  const used = { input: 900, cached: 100, output: 60, reasoning: 20 };
  const { asked, propose } = policyOf([{ usage: used }, { usage: { ...used, output: 100 } }], {
    turnTokens: 500,
    contextTokens: 1000,
  });
  expect(await propose()).toMatchObject({
    usage: { promptTokens: 900, completionTokens: 60, cachedTokens: 100, reasoningTokens: 20 },
    callId: 1,
  });
  expect(asked[0]?.maxOutputTokens).toBe(500);
  await propose();
  expect(asked[1]?.maxOutputTokens).toBe(64);
  expect(await propose()).toBe("context");
  expect(asked).toHaveLength(2);
  expect(asked[0]?.seed).not.toBe(asked[1]?.seed);
});

test("a server that refuses a long chat ends the rollout as context; every other failure is one, never a step", async () => {
  const long = policyOf([{}, full("HTTP 400: context_length_exceeded")]);
  await long.propose();
  expect(await long.propose()).toBe("context");
  await expect(policyOf([full("prompt is too long")]).propose()).rejects.toThrow(/task alone/);
  await expect(policyOf([full("HTTP 400: no such model")]).propose()).rejects.toBeInstanceOf(RoleFailure);
  await expect(policyOf([full("context deadline exceeded", 504)]).propose()).rejects.toMatchObject({ kind: "failed" });
  await expect(policyOf([new BudgetReached("x")]).propose()).rejects.toBeInstanceOf(BudgetReached);
});
