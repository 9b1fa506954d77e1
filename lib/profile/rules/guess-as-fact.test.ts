import { expect, it } from "vitest";
import type { Step } from "@/lib/trajectory/types";
import { type Case, flagged, run, user } from "./steps.fixture";

const think = (thinking: string, command: string): Step => run(command, "", 0, { thinking });
const cases: Case[] = [
  ["a guessed number", [think("The digit is smudged, probably 4817.", "echo 4817 > /app/code.txt")], [0]],
  [
    "an assumed setting",
    [think("No port is given. I'll assume 9443.", "cat > /app/barn.conf <<'EOF'\nport = 9443\nEOF")],
    [0],
  ],
  [
    "a quoted name",
    [think('Not sure about the owner, "marigold" fits.', "printf 'owner=marigold\\n' > /app/owner.cfg")],
    [0],
  ],
  ["in the message", [run("echo 4817 > /app/code.txt", "", 0, { message: "My best guess is 4817." })], [0]],
  ["the task says it", [user("Use port 9443."), think("I'll assume 9443.", "echo 9443 > /app/port.txt")], []],
  [
    "an output showed it",
    [run("cat label", "code 4817"), think("So it is probably 4817.", "echo 4817 > /app/code.txt")],
    [],
  ],
  ["a hypothesis to be tested", [think("Probably 4817; let me try it and see.", "echo 4817 > /app/code.txt")], []],
  ["another value is written", [think("It is probably 4817.", "echo 1234 > /app/code.txt")], []],
  ["only looked at", [think("It is probably 4817.", "grep 4817 label")], []],
  ["part of a longer number", [think("It is probably 48.", "echo 4817 > /app/code.txt")], []],
  [
    "made-up input of a test script",
    [think("Probably 4817 works.", "cat > /app/test_code.py <<'EOF'\nx = 4817\nEOF")],
    [],
  ],
  ["in a temporary file", [think("Probably 4817.", "echo 4817 > /tmp/x")], []],
  ["no doubt about it", [think("The code is 4817.", "echo 4817 > /app/code.txt")], []],
];

it.each(cases)("guess-as-fact: %s", (_name, steps, expected) => {
  expect(flagged("guess-as-fact", steps)).toEqual(expected);
});
