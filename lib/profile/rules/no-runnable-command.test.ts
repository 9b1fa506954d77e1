import { expect, it } from "vitest";
import { type Case, flagged, run, say, system, user } from "./steps.fixture";

const strict = system("You work in a shell. Each reply must hold exactly one bash call, or it is rejected.");
const open = system("You are a helpful clerk at a counter.");
const cases: Case[] = [
  ["prose where a command is asked for", [strict, say("Now I will run the floating-point cases.")], [1]],
  ["nothing but reasoning", [strict, say("", { thinking: "The next thing is" })], [1]],
  ["nothing at all", [strict, say(null)], [1]],
  ["call markup in the text", [open, say("<tool_call>\n<function=bash>\nls\n</function>")], [1]],
  ["two blocks where one is asked for", [strict, say("```bash\nls\n```\nand\n```bash\npwd\n```")], [1]],
  [
    "after a complaint about form",
    [open, say("Hello"), user("No command found.", { note: "format-error" }), say("I will list it.")],
    [3],
  ],
  ["a call is there", [strict, run("ls", "a")], []],
  ["a command the shell cannot parse", [strict, run("if then (", "syntax error", 2)], []],
  ["a command that only prints", [strict, run("echo thinking", "thinking")], []],
  [
    "talking to a customer",
    [open, say("What is your booking number?"), user("77"), say("Thank you, it is cancelled.")],
    [],
  ],
  ["closing answer without any rule on form", [open, run("ls", "a"), say("The folder holds one file.")], []],
  ["an exit message", [strict, say("Limit reached", { note: "exit" })], []],
  ["second step of the same reply", [strict, run("ls", "a", 0, { turn: 4 }), say(null, { turn: 4 })], []],
];

it.each(cases)("no-runnable-command: %s", (_name, steps, expected) => {
  expect(flagged("no-runnable-command", steps)).toEqual(expected);
});
