import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { INTERVAL_METHODS, type Interval } from "@/lib/evaluate/stats/bootstrap";
import { predictionPowered, roganGladen } from "@/lib/evaluate/stats/corrected";
import { differenceOf, rateOf } from "@/lib/evaluate/stats/rate";
import { JUDGED_WORLDS, judgedOf, nameOf, RATE_WORLDS, ratesOf } from "./worlds";

const { values } = parseArgs({
  options: {
    studies: { type: "string", default: "2000" },
    resamples: { type: "string", default: "1000" },
    /** Folder of coverage.json and coverage.md. */
    out: { type: "string", default: "docs" },
  },
});
const studies = Number(values.studies);
const resamples = Number(values.resamples);

interface Row {
  what: string;
  method: string;
  world: string;
  /** Studies with an interval, those whose interval holds the truth, and the mean width. */
  intervals: number;
  covered: number;
  width: number;
}

function tally(
  what: string,
  method: string,
  world: string,
  truth: number,
  of: (study: number) => Interval | null,
): Row {
  let [intervals, covered, width] = [0, 0, 0];
  for (let study = 0; study < studies; study++) {
    const interval = of(study);
    if (interval === null) continue;
    intervals++;
    width += interval.high - interval.low;
    if (interval.low <= truth && truth <= interval.high) covered++;
  }
  process.stderr.write(`${what}, ${method}, ${world}: ${((100 * covered) / intervals).toFixed(1)}%\n`);
  return { what, method, world, intervals, covered, width: width / intervals };
}

const rows: Row[] = [];
for (const world of RATE_WORLDS) {
  const simulated = Array.from({ length: studies }, (_, i) => ratesOf(world, i));
  for (const method of INTERVAL_METHODS) {
    const options = (study: number) => ({ key: `coverage ${study}`, method, resamples });
    rows.push(
      tally("rate", method, nameOf(world), world.rate, (study) => {
        const clusters = (simulated[study] ?? []).map((pair) => pair.before);
        return rateOf(clusters, options(study)).interval;
      }),
      tally(
        "difference",
        method,
        `${nameOf(world)}, other ${world.other}`,
        world.other - world.rate,
        (study) => differenceOf(simulated[study] ?? [], { ...options(study), withoutP: true }).interval,
      ),
    );
  }
}
for (const world of JUDGED_WORLDS) {
  const simulated = Array.from({ length: studies }, (_, i) => judgedOf(world, i));
  for (const method of INTERVAL_METHODS)
    for (const [what, corrected] of [
      ["Rogan-Gladen", roganGladen],
      ["PPI++", predictionPowered],
    ] as const)
      rows.push(
        tally(what, method, nameOf(world), world.rate, (study) => {
          const rate = corrected(simulated[study] ?? [], { key: `coverage ${study}`, method, resamples });
          return "refused" in rate ? null : rate.interval;
        }),
      );
}

const percent = (row: Row) => `${((100 * row.covered) / row.intervals).toFixed(1)}%`;
const text = `# Coverage of 95% intervals

Written by \`npm run coverage\`: ${studies} simulated studies a row, ${resamples} resamples each. Prefixes differ in their own rate
(beta-distributed with the given mean and correlation), samples of one prefix share it; a prefix that is bad for one policy is
bad for the other. A study whose prefixes all say the same has no interval of a difference and is not counted, nor has one whose
rate cannot be corrected. 1.96 standard errors of a coverage of 95% are ${(196 * Math.sqrt((0.95 * 0.05) / studies)).toFixed(1)} points.

| what | method | world | coverage | intervals | mean width |
|---|---|---|---|---|---|
${rows.map((r) => `| ${r.what} | ${r.method} | ${r.world} | ${percent(r)} | ${r.intervals} | ${r.width.toFixed(3)} |`).join("\n")}
`;
fs.writeFileSync(path.join(values.out, "coverage.json"), `${JSON.stringify({ studies, resamples, rows }, null, 2)}\n`);
fs.writeFileSync(path.join(values.out, "coverage.md"), text);
