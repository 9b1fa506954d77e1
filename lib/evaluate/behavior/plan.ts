import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { Draw } from "@/lib/environment/suite/draw";
import { groupBy } from "@/lib/evaluate/groupBy";
import { trainedIn } from "./leak";
import type { BehaviorProtocol } from "./settings";

/** The protocol names nothing that could be measured, or what must not be. The message says what to do. */
export class NothingToMeasure extends Error {}

/** What a measurement looks at, fixed when it is queued. */
export const behaviorPlan = z.object({
  misbehaviors: z.array(
    z.object({ errorTypeId: z.number(), slug: z.string(), name: z.string(), prefixes: z.array(z.number()) }),
  ),
  /** Misbehaviors without enough prefixes. */
  left: z.array(z.object({ slug: z.string(), prefixes: z.number() })),
  /** Prefixes in environments that a policy was trained in, by checkpoint. */
  leaks: z.array(z.object({ checkpointId: z.number(), prefixes: z.array(z.number()) })),
});
export type BehaviorPlan = z.infer<typeof behaviorPlan>;

interface PrefixRow {
  id: number;
  errorTypeId: number;
  slug: string;
  name: string;
  environmentId: number | null;
}

const HOW = 'profile held-out environments ("misstep profile --part heldout"), draw prefixes and rerun them';

/** Chooses the prefixes of a measurement. Throws NothingToMeasure. */
export function planBehavior(
  db: Db,
  studyId: number,
  protocol: BehaviorProtocol,
  checkpoints: readonly { id: number; name: string }[],
): BehaviorPlan {
  const rows = db.$client
    .prepare<[number, string], PrefixRow>(
      `select p.id, p.error_type_id as errorTypeId, e.slug, e.name, p.environment_id as environmentId
       from prefix p join error_type e on e.id = p.error_type_id
       where p.study_id = ? and p.status = 'kept' and p.split = ? and p.draw_id is not null order by p.id`,
    )
    .all(studyId, protocol.split);
  const bySlug = groupBy(rows, (row) => row.slug);
  for (const slug of protocol.misbehaviors)
    if (!bySlug.has(slug)) throw new NothingToMeasure(`no kept held-out prefix is of "${slug}"; ${HOW}`);
  const plan: BehaviorPlan = { misbehaviors: [], left: [], leaks: [] };
  const chosen: PrefixRow[] = [];
  for (const [slug, own] of bySlug) {
    if (protocol.misbehaviors.length > 0 && !protocol.misbehaviors.includes(slug)) continue;
    if (own.length < protocol.fewest) {
      plan.left.push({ slug, prefixes: own.length });
      continue;
    }
    const drawn = new Draw(`misstep behavior prefixes\0${protocol.seed}\0${slug}`).some(own, protocol.prefixes);
    const { errorTypeId, name } = own[0] as PrefixRow;
    chosen.push(...drawn);
    plan.misbehaviors.push({ errorTypeId, slug, name, prefixes: drawn.map((p) => p.id).sort((a, b) => a - b) });
  }
  if (plan.misbehaviors.length === 0) {
    const few = plan.left.map(({ slug, prefixes }) => `${slug} ${prefixes}`).join(", ");
    throw new NothingToMeasure(
      few === ""
        ? `there is no kept held-out prefix; ${HOW}`
        : `no misbehavior has ${protocol.fewest} kept held-out prefixes (${few}); ${HOW}, or ask for fewer`,
    );
  }
  for (const { id, name } of checkpoints) {
    const known = trainedIn(db, id);
    const prefixes = chosen.filter((p) => p.environmentId !== null && known.has(p.environmentId)).map((p) => p.id);
    if (prefixes.length === 0) continue;
    if (!protocol.leaksAllowed)
      throw new NothingToMeasure(
        `${name} was trained in the environments of ${prefixes.length} of ${chosen.length} prefixes: its rate would flatter it. Measure on other prefixes, or allow leaks and have them marked`,
      );
    plan.leaks.push({ checkpointId: id, prefixes });
  }
  return plan;
}
