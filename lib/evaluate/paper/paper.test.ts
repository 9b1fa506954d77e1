import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { paperExport } from "./export";
import { PAPER_NOTES } from "./notes";
import { BENCHMARKS, publishedRates, publishedReductions, publishedScores } from "./published";

/** Numbers of a value by their path; rows stay in the order of the paper. */
function numbers(value: unknown, at = ""): [string, number][] {
  if (typeof value === "number") return [[at, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbers(inner, `${at}/${key}`));
}

const folder = process.env.MISSTEP_REFERENCE ?? path.join(process.env.MISSTEP_CORPUS ?? "", "../reference");
const file = path.join(folder, "mirl-paper.json");
const there = fs.existsSync(file);
if (!there) console.log("skipped: mirl-paper.json is not beside this repository (MISSTEP_REFERENCE names its folder)");

describe("the paper as a study", () => {
  it("has the headline both ways and all rates and scores", () => {
    expect(publishedRates()).toHaveLength(24);
    const [gemini, qwen] = publishedReductions();
    expect([gemini?.ofMeans, qwen?.ofMeans].map((x) => Math.round(x ?? 0))).toEqual([57, 43]);
    expect([gemini?.meanOf, qwen?.meanOf].map((x) => Math.round(10 * (x ?? 0)) / 10)).toEqual([43.5, 38.7]);
    const mirl = BENCHMARKS.map((b) => publishedScores("main_results", b).find((r) => r.subject === "mirl"));
    expect(mirl.map((r) => [r?.mean, r?.se])).toEqual([
      [51.8, 0.1],
      [21.3, 0.7],
    ]);
    expect(publishedScores("scaling", "tb_lite").map((r) => r.environments)).toEqual([47, 94, 189, 378]);
  });

  it("has every discrepancy once, with a place", () => {
    expect(PAPER_NOTES.map((n) => n.id).sort()).toEqual(Array.from({ length: 18 }, (_, i) => `D${i + 1}`).sort());
    expect(PAPER_NOTES.every((n) => n.places.length > 0)).toBe(true);
  });

  it.skipIf(!there)("says the same numbers as the reference, section by section", () => {
    const reference = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>;
    const held = paperExport() as Record<string, unknown>;
    const skipped = new Set(["text_numbers", "long_tail", "figure_1c", "discrepancies", "paper"]);
    for (const section of Object.keys(held).filter((key) => !skipped.has(key))) {
      const want = new Map(numbers(reference[section]));
      const have = numbers(held[section]);
      for (const [at, value] of have) expect([section + at, value]).toEqual([section + at, want.get(at)]);
      const missing = [...want.keys()].filter((at) => !at.includes("pdf_page") && !have.some(([key]) => key === at));
      expect([section, missing]).toEqual([section, []]);
    }
    const texts = (reference.text_numbers as { what: string; value: unknown }[]).filter(
      (t) => typeof t.value === "number",
    );
    expect((held.text_numbers as { what: string; value: unknown }[]).map((t) => [t.what, t.value])).toEqual(
      texts.map((t) => [t.what, t.value]),
    );
    expect((reference.discrepancies as { id: string }[]).map((d) => d.id).sort()).toEqual(
      PAPER_NOTES.map((n) => n.id).sort(),
    );
  });
});
