import { expect, test } from "vitest";
import { narrowed } from "./matching";
import { loadListParams } from "./search-params";

test("an order, a group, columns or a page do not narrow the list; every filter does", () => {
  for (const query of ["", "sort=steps&dir=asc&group=model&cols=task&after=x", "q=%20"])
    expect(narrowed(loadListParams(new URLSearchParams(query))), query).toBe(false);
  for (const query of [
    "q=a",
    "unaided=true",
    "unaided=false",
    "steps=..0",
    "model=(not%20stated)",
    "verdict=yes@rules",
  ])
    expect(narrowed(loadListParams(new URLSearchParams(query))), query).toBe(true);
});
