import { expect, it } from "vitest";
import { commandOf } from "./command";

it("finds the command of terminal tools and of no others", () => {
  expect(commandOf("bash", { command: "ls" })).toBe("ls");
  expect(commandOf("bash", '{"command": "ls"}')).toBe("ls");
  expect(commandOf("execute_bash", { script: "ls" })).toBe("ls");
  expect(commandOf("bash_command", { keystrokes: "ls\n" })).toBe("ls\n");
  expect(commandOf("shell", { command: ["bash", "-lc", "ls | wc"] })).toBe("ls | wc");
  expect(commandOf("shell", { cmd: ["ls", "-a"] })).toBe("ls -a");
  expect(commandOf("bash", "ls -a")).toBe("ls -a");
  expect(commandOf("bash", '{"command": "cut')).toBeNull();
  expect(commandOf("str_replace_editor", { command: "view", path: "a" })).toBeNull();
  expect(commandOf("search", { input: "x" })).toBeNull();
  expect(commandOf("bash", null)).toBeNull();
});
