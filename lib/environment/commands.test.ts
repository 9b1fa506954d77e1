import { expect, test } from "vitest";
import { parseCommands } from "./commands";

test("text: one command a line as it is; comments are thinking only when asked for", () => {
  const text = "# look first\n#  then count\nls -la  \n\n  wc -l x\n";
  expect(parseCommands(text, "a.txt")).toEqual([
    { command: "ls -la  ", thinking: null },
    { command: "  wc -l x", thinking: null },
  ]);
  expect(parseCommands(text, "a.sh", { thinking: true })).toEqual([
    { command: "ls -la  ", thinking: "look first\n then count" },
    { command: "  wc -l x", thinking: null },
  ]);
});

test("JSONL and YAML hold commands of several lines, with thinking", () => {
  expect(parseCommands('"ls"\n{"command": "a\\nb", "thinking": "t"}\n', "x.jsonl")).toEqual([
    { command: "ls", thinking: null },
    { command: "a\nb", thinking: "t" },
  ]);
  expect(parseCommands("- ls\n- command: |\n    cat <<E\n    x\n    E\n  thinking: t\n", "x.yaml")).toEqual([
    { command: "ls", thinking: null },
    { command: "cat <<E\nx\nE\n", thinking: "t" },
  ]);
});

test("what is wrong is named with its place", () => {
  expect(() => parseCommands('"ls"\n{"cmd": 1}\n', "x.jsonl")).toThrow(/x\.jsonl \(line 2\).*"command"/);
  expect(() => parseCommands("{", "x.jsonl")).toThrow(/line 1/);
  expect(() => parseCommands("- a: [", "x.yml")).toThrow(/x\.yml \(line 1/);
  expect(() => parseCommands("# nothing\n", "x.txt")).toThrow(/no command/);
});
