import { expect, test } from "vitest";
import { homeName } from "./home";

test("two homes are told apart by a short name; a hidden folder is named with the one above it", () => {
  expect(
    ["/srv/terminal-bench", "/srv/terminal-bench/", "/srv/misstep/.misstep", "/.misstep", "/"].map(homeName),
  ).toEqual(["terminal-bench", "terminal-bench", "misstep/.misstep", ".misstep", "/"]);
});
