import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeWeights } from "@/lib/model/policy/weights";
import { applyDifference, differenceOf } from "./weights";

const file = (values: Float32Array, name = "w") =>
  Buffer.from(encodeWeights([{ name, shape: [values.length], data: values }], { name }));

test("every bit of the weights comes back from the difference", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer(), fc.integer()), { minLength: 1 }), (pairs) => {
      // All bit patterns: -0, infinities and NaNs too.
      const of = (at: 0 | 1) => new Float32Array(new Int32Array(pairs.map((p) => p[at])).buffer);
      const [base, own] = [file(of(0)), file(of(1), "another name")];
      expect(applyDifference(base, differenceOf(base, own) as Buffer).equals(own)).toBe(true);
    }),
  );
});

test("weights of another shape have no difference", () => {
  expect(differenceOf(file(new Float32Array(3)), file(new Float32Array(4)))).toBeNull();
});
