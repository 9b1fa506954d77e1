import { expect, test } from "vitest";
import { nameLines } from "./name-lines";

test("a name is broken at spaces and hyphens into two lines at most, and says where it is cut", () => {
  expect(nameLines("base", 20)).toEqual(["base"]);
  expect(nameLines("Claims success without verification", 25)).toEqual(["Claims success without", "verification"]);
  expect(nameLines("one two three four", 7)).toEqual(["one two", "t… four"]);
  expect(nameLines("base: fails-to-produce-runnable-commands", 12)).toEqual(["base: fails-", "to…-commands"]);
  expect(nameLines("unbroken-and-long", 8)).toEqual(["unbroke…", "and-long"]);
  expect(nameLines("outcome-env-seed-1", 13)).toEqual(["outcome-env-", "seed-1"]);
  expect(nameLines("outcome-prefix-seed-2-step-24", 13)).toEqual(["outcome-", "pre…2-step-24"]);
  expect(nameLines("outcome-prefix-seed-3-step-24", 13)).toEqual(["outcome-", "pre…3-step-24"]);
  expect(nameLines("😀😀😀😀", 3)).toEqual(["😀😀…"]);
});
