import { describe, expect, it } from "vitest";
import { alphaOf } from "./alpha";
import type { Ratings } from "./coefficient";
import { cohenKappa, meanKappa, pairKappa } from "./cohen";
import { masi, masiDistance, setKey } from "./distance";
import { fleissKappa, fleissOf } from "./fleiss";
import { rawAgreement } from "./raw";

const options = { key: "test", resamples: 200 };

/** Rows are raters, columns items, "." is no rating. */
function ratings(...rows: string[]): Ratings[] {
  const cells = rows.map((row) => row.split(" "));
  return (cells[0] as string[]).map((_, item) =>
    cells.flatMap((row, rater) => {
      const category = row[item] as string;
      return category === "." ? [] : [{ rater, category }];
    }),
  );
}
/** Counts of categories as ratings by as many raters. */
const fromCounts = (rows: readonly (readonly number[])[]): Ratings[] =>
  rows.map((row) =>
    row.flatMap((n, c) => Array.from({ length: n }, () => String(c))).map((category, rater) => ({ rater, category })),
  );
const setRatings = (...rows: number[][][]): Ratings[] =>
  (rows[0] as number[][]).map((_, item) =>
    rows.map((row, rater) => ({ rater, category: setKey(row[item] as number[]) })),
  );

// Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: 4 observers, 12 units, missing data.
const KRIPPENDORFF = ratings(
  "1 2 3 3 2 1 4 1 2 . . .",
  "1 2 3 3 2 2 4 1 2 5 . 3",
  ". 3 3 3 2 3 4 2 2 5 1 .",
  "1 2 3 3 2 4 4 1 2 5 1 .",
);

// Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971), table 1: 30 patients, 6
// psychiatrists; depression, personality disorder, schizophrenia, neurosis, other.
const FLEISS = [
  "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006",
  "10050 11040 03300 10050 02031 00501 30012 51000 02040 10203",
  "00006 01050 02013 20040 10041 05010 40002 02040 10500 00006",
]
  .join(" ")
  .split(" ")
  .map((row) => [...row].map(Number));

// 10 subjects, 14 raters, 5 categories: the worked example of the article "Fleiss' kappa" of Wikipedia.
const FOURTEEN = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];

describe("Cohen's kappa", () => {
  it("is 0.492 for the 200 patients of Cohen (1960, table 1), given as shares", () => {
    const shares = [
      [0.44, 0.07, 0.09],
      [0.05, 0.2, 0.05],
      [0.01, 0.03, 0.06],
    ];
    expect(cohenKappa(shares)).toBeCloseTo(0.492, 3);
  });
  it("is 0.4 for the 50 grant proposals of the article of Wikipedia, from ratings as from the table", () => {
    const table = [
      [20, 5],
      [10, 15],
    ];
    expect(cohenKappa(table)).toBeCloseTo(0.4, 10);
    const items = table.flatMap((row, a) =>
      row.flatMap((n, b) =>
        Array.from({ length: n }, () => [
          { rater: 7, category: `c${a}` },
          { rater: 9, category: `c${b}` },
        ]),
      ),
    );
    const pair = pairKappa(items, 7, 9, options);
    expect(pair.table).toEqual(table);
    expect(pair.kappa.value).toBeCloseTo(0.4, 10);
    expect(pair.kappa.interval?.low).toBeLessThan(0.4);
    expect(pair.kappa.interval?.high).toBeGreaterThan(0.4);
    expect(meanKappa(items, options)).toMatchObject({ pairs: 1, defined: 1, items: 50 });
  });
  it("is not defined where both only ever say one word, and says why", () => {
    const same = ratings("a a a", "a a a");
    expect(pairKappa(same, 0, 1, options).kappa).toEqual({
      value: null,
      reason: "one-category",
      interval: null,
      items: 3,
    });
    expect(pairKappa(ratings("a .", ". a"), 0, 1, options).kappa.reason).toBe("no-overlap");
  });
  it("takes the mean over pairs, each once, over the items each pair has in common", () => {
    // 0 and 1: full agreement, kappa 1; 0 and 2 differ always on two balanced categories, kappa -1; so do 1 and 2.
    const items = ratings("a b a b", "a b a b", "b a b a");
    expect(meanKappa(items, options).value).toBeCloseTo(-1 / 3, 10);
  });
  it("gives no interval of no width", () => {
    expect(pairKappa(ratings("a b a b", "a b a b"), 0, 1, options).kappa).toMatchObject({ value: 1, interval: null });
  });
});

describe("Fleiss' kappa", () => {
  it("is 0.430 for the psychiatric diagnoses of Fleiss (1971)", () => {
    expect(fleissKappa(FLEISS)).toBeCloseTo(0.43, 3);
    expect(fleissOf(fromCounts(FLEISS), options).value).toBeCloseTo(0.43, 3);
  });
  it("is 0.210 for 10 subjects and 14 raters", () => {
    expect(fleissKappa(FOURTEEN)).toBeCloseTo(0.21, 3);
    expect(rawAgreement(fromCounts(FOURTEEN), options).value).toBeCloseTo(0.378, 3);
  });
  it("leaves out items with one answer", () => {
    expect(fleissKappa([...FOURTEEN, [1, 0, 0, 0, 0]])).toBe(fleissKappa(FOURTEEN));
  });
  it("is not defined with one category", () => {
    expect(
      fleissKappa([
        [3, 0],
        [3, 0],
      ]),
    ).toBeNull();
  });
});

describe("Krippendorff's alpha", () => {
  it("is 0.743 for 4 observers and 12 units with missing data", () => {
    const alpha = alphaOf(KRIPPENDORFF, options);
    expect(alpha.value).toBeCloseTo(0.743421, 6);
    expect(alpha.items).toBe(11);
    expect(alpha.interval?.low).toBeLessThan(0.743);
    expect(alpha.interval?.high).toBeGreaterThan(0.743);
  });
  it("is 0.095 for the binary and 0.692 for the nominal data of two observers (2011, sections A and B)", () => {
    const binary = ratings("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0");
    expect(alphaOf(binary, options).value).toBeCloseTo(0.095, 3);
    const letters = ratings("a a b b d c c c e d d a", "b a b b b c c c e d d d");
    expect(alphaOf(letters, options).value).toBeCloseTo(0.692, 3);
  });
  it("is not defined where everybody always says the same", () => {
    expect(alphaOf(ratings("a a", "a a"), options)).toMatchObject({ value: null, reason: "one-category" });
  });
});

describe("MASI", () => {
  const set = (...members: string[]) => new Set(members);
  it("weighs Jaccard's share by 1, 2/3, 1/3 or 0 (Passonneau 2006)", () => {
    expect(masiDistance(set("a", "b"), set("b", "a"))).toBe(0);
    // {1, 2} in {1, 2, 3, 4}: 1 - 2/4 * 2/3; the documentation of NLTK prints 0.665 for it, with 0.67 for 2/3.
    expect(masiDistance(set("1", "2"), set("1", "2", "3", "4"))).toBeCloseTo(1 - 1 / 3, 10);
    expect(masiDistance(set("1", "2"), set("1", "2", "3", "4"))).toBeCloseTo(0.665, 2);
    expect(masiDistance(set("a", "b"), set("b", "c"))).toBeCloseTo(1 - (1 / 3) * (1 / 3), 10);
    expect(masiDistance(set("a"), set("b"))).toBe(1);
    expect(masiDistance(set(), set("b"))).toBe(1);
    expect(masiDistance(set(), set())).toBe(0);
  });
  it("gives the nominal alpha for sets of one", () => {
    expect(alphaOf(KRIPPENDORFF, options, masi).value).toBeCloseTo(0.743421, 6);
  });
  it("gives an alpha for sets that can be worked out by hand", () => {
    // Two raters, three items: {1}/{1}, {1,2}/{1}, {2}/{2}. Of 6 ratings 3 are {1}, 1 is {1,2}, 2 are {2}.
    // Observed: one pair 1 - 1/2 * 2/3 = 2/3 apart, counted both ways: 4/3. Expected, over ordered pairs of different
    // sets: 2 * (3 * 1 * 2/3 + 3 * 2 * 1 + 1 * 2 * 2/3) = 56/3. alpha = 1 - 5 * (4/3) / (56/3) = 1 - 20/56.
    const items = setRatings([[1], [1, 2], [2]], [[1], [1], [2]]);
    expect(alphaOf(items, options, masi).value).toBeCloseTo(1 - 20 / 56, 10);
  });
});

describe("raw agreement", () => {
  it("counts pairs of answers", () => {
    expect(rawAgreement(ratings("a a b", "a b b", "a b ."), options)).toMatchObject({ numerator: 5, denominator: 7 });
  });
});
