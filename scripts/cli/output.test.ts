import { expect, test } from "vitest";
import { forTerminal } from "./output";

test("text of models and servers moves no cursor: control characters are shown, lines and tabs stay", () => {
  expect(forTerminal("a\tb\nc")).toBe("a\tb\nc");
  expect(forTerminal("\u001b]0;title\u0007\u001b[2Jx\r\0\u007f\u009b31m")).toBe("␛]0;title␇␛[2Jx␍␀␡\ufffd31m");
});
