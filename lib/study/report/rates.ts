import "server-only";
import type { Db } from "@/db/client";
import { type VerdictCount, verdictCounts } from "@/db/queries/behaviorRates";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import type { Cluster } from "@/lib/evaluate/stats/linear";
import { type Arm, pooled, type Question } from "./pool";
import { recipeTitle, type Subjects } from "./subjects";
import type { PooledRates, PooledRecipe } from "./types";

type Plan = BehaviorSummary["plan"]["misbehaviors"];

/**
 * Mean misbehavior rates of recipes over their training seeds, under each judge of the measurement (paper Fig. 7). The mean is
 * over misbehaviors that every policy has verdicts on.
 */
export function pooledRates(
  db: Db,
  { base, trained, recipes }: Subjects,
  measured: Pick<BehaviorSummary, "id" | "judges" | "plan">,
): PooledRates[] {
  if (!base) return [];
  const counts = verdictCounts(db, measured.id);
  const with_ = trained.filter((t) => t.checkpoint && counts.some((c) => c.checkpointId === t.checkpoint?.id));
  const present = recipes.filter((recipe) => with_.some((t) => t.recipe === recipe));
  // The rules paid the reward; they come first.
  const judges = [...measured.judges].sort((a, b) => Number(b.startsWith("rules")) - Number(a.startsWith("rules")));
  return judges.map((judge) => {
    const own = new Map<string, VerdictCount>();
    for (const c of counts) if (c.judge === judge) own.set(`${c.checkpointId} ${c.errorTypeId} ${c.prefixId}`, c);
    const units = (checkpointId: number, m: Plan[number]): Cluster[] =>
      m.prefixes.map((prefixId) => {
        const c = own.get(`${checkpointId} ${m.errorTypeId} ${prefixId}`);
        return { numerator: c?.yes ?? 0, denominator: c ? c.yes + c.no : 0 };
      });
    const policies = [base.id, ...with_.flatMap((t) => t.checkpoint?.id ?? [])];
    const spoken = (m: Plan[number]) => policies.every((id) => units(id, m).some((u) => u.denominator > 0));
    const used = measured.plan.misbehaviors.filter(spoken);
    const seedsOf = (recipe: string) => with_.filter((t) => t.recipe === recipe);
    const armsOf = (misbehaviors: Plan): Arm[] => {
      const strata = (id: number) => misbehaviors.map((m) => units(id, m));
      return [
        { seeds: [strata(base.id)] },
        ...present.map((recipe) => ({ seeds: seedsOf(recipe).map((t) => strata(t.checkpoint?.id ?? 0)) })),
      ];
    };
    const questions: Question[] = [
      { kind: "mean", arms: [0] },
      ...present.flatMap((_, i): Question[] => [
        { kind: "mean", arms: [i + 1] },
        { kind: "reduction", arms: [i + 1, 0] },
        { kind: "difference", arms: [1, i + 1] },
      ]),
    ];
    const answers = pooled(armsOf(used), questions, `rates ${judge}`);
    const [of, ...rest] = answers as [PooledRates["base"], ...PooledRates["base"][]];
    const alone = (checkpointId: number) =>
      pooled([{ seeds: [used.map((m) => units(checkpointId, m))] }], [{ kind: "mean", arms: [0] }], "one", 0)[0]
        ?.value ?? null;
    return {
      judge,
      base: of,
      recipes: present.map((recipe, i): PooledRecipe => {
        const [mean, against, difference] = rest.slice(3 * i) as [
          PooledRates["base"],
          PooledRates["base"],
          PooledRates["base"],
        ];
        return {
          recipe,
          title: recipeTitle(recipe),
          seeds: seedsOf(recipe).map((t) => ({
            seed: t.seed,
            checkpointId: t.checkpoint?.id ?? 0,
            checkpoint: t.checkpoint?.name ?? "",
            value: alone(t.checkpoint?.id ?? 0),
          })),
          mean,
          against,
          difference: i === 0 ? null : difference,
        };
      }),
      misbehaviors: used.map((m) => {
        const [first, ...each] = pooled(
          armsOf([m]),
          [
            { kind: "mean", arms: [0] },
            ...present.flatMap((_, i): Question[] => [
              { kind: "mean", arms: [i + 1] },
              { kind: "difference", arms: [i + 1, 0] },
            ]),
          ],
          `rates ${judge} ${m.slug}`,
        ) as [PooledRates["base"], ...PooledRates["base"][]];
        return {
          slug: m.slug,
          name: m.name,
          errorTypeId: m.errorTypeId,
          base: first,
          recipes: present.map((recipe, i) => ({
            recipe,
            mean: each[2 * i] as PooledRates["base"],
            change: each[2 * i + 1] as PooledRates["base"],
          })),
        };
      }),
      left: measured.plan.misbehaviors.filter((m) => !spoken(m)).map((m) => m.name),
      prefixes: used.reduce((sum, m) => sum + m.prefixes.length, 0),
    };
  });
}
