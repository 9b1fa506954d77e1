import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { BENCHMARKS, subjectName } from "@/lib/evaluate/paper/published";
import { paperBars, paperPass, paperScaling, paperSeeds, paperSubsets } from "./own";

const folder = process.env.MISSTEP_REFERENCE ?? path.join(process.env.MISSTEP_CORPUS ?? "", "../reference");
const file = path.join(folder, "mirl-paper.json");
const there = fs.existsSync(file);
if (!there) console.log("skipped: mirl-paper.json is not beside this repository (MISSTEP_REFERENCE names its folder)");

type Score = { mean: number; se: number };
interface Row {
  subject: string;
  environments?: number;
  tb_lite: Score;
  tb_2_1: Score;
}
type Seed = Score & { subject: string };
interface Reference {
  main_results: { rows: Row[] };
  ablation: { rows: Row[] };
  scaling: { rows: Row[] };
  pass_at_k: { points: { k: number; subject: string; value: number }[] };
  reliability: { mean_se_by_k: { k: number; mean_se: number }[]; three_seeds: Seed[]; sixteen_seeds: Seed[] };
}

const drawn = (bars: ReturnType<typeof paperBars>) =>
  bars.map((b) => [b.name, b.value, Number((((b.high ?? 0) - (b.low ?? 0)) / 2).toFixed(3)), b.published]);

it("draws published marks as published, leading nowhere", () => {
  for (const bar of [...paperBars("main_results", "tb_lite"), ...paperSeeds()])
    expect([bar.name, bar.published, bar.href]).toEqual([bar.name, true, null]);
  expect(paperBars("main_results", "tb_2_1").find((b) => b.name === "MiRL")?.says).toContain("trained once");
});

it.skipIf(!there)("draws the numbers of the reference", () => {
  const ref = JSON.parse(fs.readFileSync(file, "utf8")) as Reference;
  for (const benchmark of BENCHMARKS)
    for (const figure of ["main_results", "ablation", "scaling"] as const)
      expect(drawn(paperBars(figure, benchmark))).toEqual(
        ref[figure].rows.map((r) => [subjectName(r.subject), r[benchmark].mean, r[benchmark].se, true]),
      );
  expect(paperScaling().map((c) => c.points.map((p) => [p.x, p.y]))).toEqual(
    BENCHMARKS.map((b) => ref.scaling.rows.map((r) => [r.environments, r[b].mean])),
  );
  expect(paperPass().map((c) => [c.points[0]?.x, c.points[0]?.y])).toEqual(
    ref.pass_at_k.points.map((p) => [p.k, p.value]),
  );
  expect(paperSubsets()[0]?.points.map((p) => [p.x, p.y])).toEqual(
    ref.reliability.mean_se_by_k.map((p) => [p.k, p.mean_se]),
  );
  expect(drawn(paperSeeds()).map(([, mean, se]) => [mean, se])).toEqual(
    [...ref.reliability.three_seeds, ...ref.reliability.sixteen_seeds].map((s) => [s.mean, s.se]),
  );
});
