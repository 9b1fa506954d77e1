import zlib from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pack, unpack } from "./codec";

const value = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constant("\ud800\u0000x".repeat(40_000)));

test("a packed value comes back as it was", () => {
  fc.assert(
    fc.property(value, (v) => {
      expect(unpack(pack(v))).toEqual(JSON.parse(JSON.stringify(v)));
    }),
  );
});

test("values that an earlier version deflated are still read", () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1, 9), (v, level) => {
      const deflated = zlib.deflateRawSync(JSON.stringify(v), { level });
      expect(unpack(deflated)).toEqual(JSON.parse(JSON.stringify(v)));
    }),
  );
});
