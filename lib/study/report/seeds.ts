import { percentText, pointsText, rangeText } from "@/lib/evaluate/behavior/view";
import type { Context } from "./context";
import { judgeWord } from "./say";

/** What the mean over training seeds hides: misbehaviors that a single seed of MiRL shows more often, and the other reading of "reduction". */
export function seedSentences({ measured, subjects, rates }: Context): string[] {
  if (!measured) return [];
  const seeds = subjects.trained.flatMap(({ recipe, seed, checkpoint }) =>
    recipe === "mirl" && checkpoint ? [{ seed, id: checkpoint.id }] : [],
  );
  if (seeds.length === 0) return [];
  // In the order of the report: the judge that pays first.
  const judges = rates.map((r) => r.judge);
  const of = (id: number, type: number) =>
    judges.flatMap(
      (judge) =>
        measured.differences.find((d) => d.checkpointId === id && d.errorTypeId === type && d.judge === judge) ?? [],
    );
  const rises = seeds.flatMap(({ seed, id }) =>
    measured.plan.misbehaviors.flatMap(({ errorTypeId, name }) => {
      const rows = of(id, errorTypeId);
      const all = rows.length === judges.length && rows.every((d) => (d.difference.interval?.low ?? 0) > 0);
      if (!all) return [];
      const said = rows.map(
        (d) =>
          `${judgeWord(d.judge)} ${pointsText(d.difference.value ?? 0)} points (95% ${rangeText(d.difference.interval, pointsText)})`,
      );
      return [`“${name}” in seed ${seed}: ${said.join(", ")}`];
    }),
  );
  const means = judges.flatMap((judge) => {
    const values = seeds.flatMap(({ id }) => {
      const r = measured.reductions.find((x) => x.checkpointId === id && x.judge === judge);
      return r?.meanOf == null ? [] : [percentText(r.meanOf)];
    });
    return values.length === 0 ? [] : [`${judgeWord(judge)} ${values.join(", ")}`];
  });
  return [
    rises.length === 0
      ? "No single training seed of MiRL shows a misbehavior more often than the base by an interval above zero under every judge."
      : `The means above hide single seeds: MiRL shows more than the base, by intervals above zero under every judge, of ${rises.join("; ")}.`,
    ...(means.length === 0
      ? []
      : [
          `Read the other way, as the mean over misbehaviors of how much rarer each became, MiRL's seeds give, in their order: ${means.join("; ")}. A misbehavior that the base hardly shows weighs as much there as its most frequent one; the paper's 43% and 57% are of the mean rate.`,
        ]),
  ];
}
