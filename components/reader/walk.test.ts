import { expect, test } from "vitest";
import { MARK_BITS, numbersOf } from "./marks";
import { isHidden, isStop, nextWalk, WALKS, walkOf } from "./walk";

const agent = 2 | MARK_BITS.numbered;
// message, step 1, step 2 rejected, its correction, step 3
const marks = [1, agent, agent | MARK_BITS.note | MARK_BITS.rejected, 2 | MARK_BITS.note | MARK_BITS.correction, agent];
const stops = (walk: (typeof WALKS)[number]) => marks.flatMap((mark, i) => (isStop(mark, walk) ? [i] : []));

test("the keys stop at what is read: the rejected step, its correction, or both", () => {
  expect(stops("accepted")).toEqual([1, 3, 4]);
  expect(stops("proposed")).toEqual([1, 2, 4]);
  expect(stops("both")).toEqual([1, 2, 3, 4]);
});

test("messages are shown however one walks, and numbers do not depend on it", () => {
  for (const walk of WALKS) expect(isHidden(1, walk)).toBe(false);
  expect(numbersOf(marks)).toEqual([null, 1, 2, null, 3]);
});

test("the key goes round, and an unknown word in the address means both", () => {
  expect(nextWalk(nextWalk(nextWalk("both")))).toBe("both");
  expect(walkOf("accepted")).toBe("accepted");
  expect(walkOf("nonsense")).toBe("both");
});
