import { expect, test } from "vitest";
import type { StepBody } from "@/db/codec";
import { matcher } from "./find";
import { argumentText, findInBody, shownMessage, splitObservation } from "./parts";

const observation = (content: string | null, output: [number, number] | null = null) => ({
  callId: null,
  content,
  output,
  full: null,
  exitCode: 0,
  timedOut: false,
  error: null,
});

test("arguments are shown when they say more than the command", () => {
  expect(argumentText('{"command":"ls"}', "ls")).toBeNull();
  expect(argumentText('{"command":"ls","timeout":5}', "ls")).toBe('{\n  "timeout": 5\n}');
  expect(argumentText({ path: "a" }, null)).toBe('{\n  "path": "a"\n}');
  expect(argumentText("{not json", "ls")).toBe("{not json");
  expect(argumentText(null, null)).toBeNull();
});

test("the fence that repeats the command is left out, with its place told", () => {
  const message = "THOUGHT: look\n\n```bash\nls\n```";
  expect(shownMessage(message, "ls")).toEqual({ text: "THOUGHT: look", at: 13, chars: message.length - 13 });
  expect(shownMessage(message, "pwd").text).toBe(message);
});

test("an output is told apart from what the harness put around it, losing nothing", () => {
  const content = "<output>\nhi\n</output>";
  const { before, output, after, at } = splitObservation(observation(content, [9, 11]));
  expect(before + output + after).toBe(content);
  expect([output, at]).toEqual(["hi", 9]);
  expect(splitObservation(observation(null)).output).toBeNull();
});

test("find counts each place once: in all texts, and not twice where message and command are the same", () => {
  const body: StepBody = {
    thinking: "needle",
    message: "needle first\n```\ngrep needle\n```",
    call: { id: null, name: "bash", arguments: '{"command":"grep needle","note":"needle"}', command: "grep needle" },
    observations: [observation("\u001b[31mnee\u001b[0mdle\nNEEDLE needle")],
    time: null,
    usage: null,
    source: [],
  };
  expect(findInBody(body, matcher("needle")!)).toEqual([
    ["thinking", 1],
    ["message", 1],
    ["command", 1],
    ["args", 1],
    ["output0", 3],
  ]);
});
