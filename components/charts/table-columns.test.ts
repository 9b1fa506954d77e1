import { expect, test } from "vitest";
import { columnKinds, numberText } from "./table-columns";

test("numbers have at most two decimals; what would round to nothing keeps its size", () => {
  expect([54.5573, 4, 0, -2.7778, 1344, 47.4].map(numberText)).toEqual(["54.56", "4", "0", "-2.78", "1,344", "47.4"]);
  expect([0.00003, -0.0012].map(numberText)).toEqual(["0.00003", "-0.0012"]);
});

test("columns by what stands in them: unknown values make no number a text", () => {
  const says = "54.6% (95% 44.9% to 64.2%); interval over environments alone: one training seed";
  expect(
    columnKinds(
      ["Policy", "Percent", "Low", "Source", "Details"],
      [
        ["Base", 54.5573, null, "this index", says],
        ["MiRL", null, null, "published", "39.3%, published"],
      ],
    ),
  ).toEqual(["text", "number", "number", "text", "prose"]);
});
