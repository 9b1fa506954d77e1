import fc from "fast-check";
import { expect, test } from "vitest";
import { getBlob, putBlob } from "./blobs";
import { openMemoryDb } from "./client";

test("bytes come back as they went in and are kept once", () => {
  const db = openMemoryDb();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
      const hash = putBlob(db, Buffer.from(bytes));
      expect(putBlob(db, Buffer.from(bytes))).toBe(hash);
      expect(getBlob(db, hash).equals(Buffer.from(bytes))).toBe(true);
      expect(db.$client.prepare("select count(*) from blob where hash = ?").pluck().get(hash)).toBe(1);
    }),
    { numRuns: 50 },
  );
  const long = "ab".repeat(100_000);
  const hash = putBlob(db, long);
  expect(getBlob(db, hash).toString()).toBe(long);
  expect(db.$client.prepare("select length(data) from blob where hash = ?").pluck().get(hash)).toBeLessThan(5000);
});

test("a hash the index does not have is an error, not an empty text", () => {
  expect(() => getBlob(openMemoryDb(), "0".repeat(64))).toThrow(/not in the index/);
});
