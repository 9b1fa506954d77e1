import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./json";
import { scanJson } from "./json-scan";

describe("parseJson", () => {
  it("says line and column of what is wrong", () => {
    expect(parseJson('{"a": 1,\n  "b": oops}')).toMatchObject({ ok: false, position: "line 2:8", truncated: false });
    expect(parseJson("{'a': 1}")).toMatchObject({ ok: false, position: "line 1:2" });
    expect(parseJson('["a\u0001"]')).toMatchObject({ ok: false, reason: expect.stringContaining("control character") });
    expect(parseJson('{"a":1} {"b":2}')).toMatchObject({
      ok: false,
      position: "line 1:9",
      reason: expect.stringContaining("more text"),
    });
  });

  it("keeps bare NaN and Infinity as text, not inside strings, and says so", () => {
    const parsed = parseJson('{"value": NaN, "max": [Infinity, -Infinity], "said": "NaN, \\"Infinity\\""}');
    expect(parsed).toMatchObject({
      ok: true,
      value: { value: "NaN", max: ["Infinity", "-Infinity"], said: 'NaN, "Infinity"' },
    });
    expect(parsed.ok && parsed.warnings[0]).toContain("3 bare NaN");
  });

  it("passes over a byte order mark", () => {
    expect(parseJson("\ufeff[1]")).toMatchObject({ ok: true, value: [1] });
  });

  it("reads 500 levels and refuses more than 1,000 without crashing", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(nested(500)).ok).toBe(true);
    expect(parseJson(nested(1000)).ok).toBe(true);
    expect(parseJson(nested(1001))).toMatchObject({ ok: false, reason: "nested deeper than 1000 levels" });
    expect(parseJson('{"a":'.repeat(200_000))).toMatchObject({ ok: false });
    expect(parseJson(`${"[".repeat(300_000)}${"]".repeat(300_000)}`)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("1000 levels"),
    });
  });

  it("finds every truncation, and that it is one", () => {
    const text = JSON.stringify({ a: [1.5e3, true, null, 'x\\"\u00e9\n'], b: { c: "tail" } });
    for (let at = 0; at < text.length; at += 1) {
      expect(parseJson(text.slice(0, at)), text.slice(0, at)).toMatchObject({ ok: false, truncated: true });
    }
  });

  it("agrees with JSON.parse on what is JSON", () => {
    const text = fc.oneof(
      fc.json(),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\u12e-+.tfn aru\n0') }),
      fc.json().map((json) => json.slice(1)),
      fc.json().map((json) => json.replace(/[0-9]/, "-")),
    );
    fc.assert(
      fc.property(text, (json) => {
        let good = true;
        try {
          JSON.parse(json);
        } catch {
          good = false;
        }
        expect(scanJson(json).error === null).toBe(good);
      }),
      { numRuns: 2000 },
    );
  });
});
