import { expect, test } from "vitest";
import { chosenBefore, onEnter, switched } from "./chosen";
import { type Choice, choicesOf } from "./keys";
import { EMPTY } from "./seat-state";

const types = [1, 2].map((id) => ({ id, name: `t${id}`, definition: "", excludes: [], example: null }));
const choices = choicesOf("types", types);
const [one, two] = choices as [Choice, Choice];

test("after going back, the key of what was chosen leaves it on and says so; pressed again it takes it away and says so", () => {
  const back = chosenBefore({ types: [1] });
  const same = switched(back, one, "key");
  expect([...same.types]).toEqual([1]);
  expect(same.said).toContain("“t1” stays on");
  const off = switched(same, one, "key");
  expect([...off.types]).toEqual([]);
  expect(off.said).toBe("“t1” is taken away.");
  expect([...switched(off, one, "key").types]).toEqual([1]);
});

test("a pointer switches what it sees; a new choice is a switch from the start", () => {
  expect([...switched(chosenBefore({ types: [1] }), one, "pointer").types]).toEqual([]);
  const on = switched(chosenBefore(EMPTY), two, "key");
  expect([...on.types]).toEqual([2]);
  expect(on.said).toBeNull();
  expect([...switched(on, two, "key").types]).toEqual([]);
});

test("Enter gives what is chosen or what was taken back, and else says what is missing", () => {
  const nothing = { types: new Set<number>() };
  expect(onEnter("types", { types: new Set([2]) }, EMPTY, false, choices)).toEqual({
    give: { verdict: "types", types: [2] },
  });
  expect(onEnter("types", nothing, EMPTY, false, choices)).toEqual({
    missing: expect.stringContaining("switch a type on first"),
  });
  // What was chosen before and is taken away is not given again.
  expect(onEnter("types", nothing, { verdict: "types", types: [1] }, false, choices)).toHaveProperty("missing");
  expect(onEnter("types", nothing, { verdict: "right", types: [] }, false, choices)).toEqual({
    give: { verdict: "right" },
  });
  const two = choicesOf("wrong", []);
  expect(onEnter("wrong", nothing, EMPTY, false, two)).toEqual({
    missing: "Nothing is chosen: press 1 (Wrong) or 2 (Right).",
  });
  expect(onEnter("wrong", nothing, { verdict: "wrong", types: [] }, false, two)).toEqual({
    give: { verdict: "wrong" },
  });
  expect(onEnter("wrong", nothing, { verdict: "wrong", types: [] }, true, two)).toEqual({
    missing: expect.stringContaining("“Wrong” is in already"),
  });
});
