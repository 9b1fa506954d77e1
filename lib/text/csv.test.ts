import { expect, test } from "vitest";
import { toCsv } from "./csv";

test("separators, quotes and line ends stay inside their cell; unknown is empty, zero is 0", () => {
  expect(
    toCsv(
      ["a", "b"],
      [
        ['x, "y"', null],
        ["1\n2", 0],
      ],
    ),
  ).toBe('a,b\r\n"x, ""y""",\r\n"1\n2",0');
});

test("a cell cannot become a formula", () => {
  expect(toCsv(["a"], [["=HYPERLINK(1)"]])).toBe("a\r\n'=HYPERLINK(1)");
});
