import { expect, test } from "vitest";
import { cardView, wordsOf } from "./card-view";

test("an imported checkpoint has no card, which is not an empty one", () => {
  expect(cardView("{}")).toBeNull();
});

test("losses share a panel, other values have their own, and a missing value is a gap, not 0", () => {
  const view = cardView(
    JSON.stringify({
      name: "base",
      curve: [
        { step: 1, loss: 3, heldOutLoss: 3.5, tokensPerSecond: 9000 },
        { step: 2, loss: 2, tokensPerSecond: null },
      ],
    }),
  );
  expect(view?.curve?.panels.map((p) => [p.title, p.series.map((s) => s.key)])).toEqual([
    ["Loss", ["loss", "heldOutLoss"]],
    ["tokens per second", ["tokensPerSecond"]],
  ]);
  expect(view?.curve?.rows[1]).toEqual({ step: 2, loss: 2, heldOutLoss: null, tokensPerSecond: null });
  expect(view?.facts).toEqual([["name", "base"]]);
});

test("a curve that is no list of points stays among the facts", () => {
  const view = cardView(JSON.stringify({ curve: "see the log" }));
  expect(view?.curve).toBeNull();
  expect(view?.facts).toEqual([["curve", "see the log"]]);
});

test("names become words", () => {
  expect(wordsOf("madeWith")).toBe("made with");
  expect(wordsOf("held_out-seeds")).toBe("held out seeds");
  expect(wordsOf("tokensOfAPass")).toBe("tokens of a pass");
});
