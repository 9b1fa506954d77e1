import "server-only";
import type { Db } from "@/db/client";
import { datasetSteps, type LookedAt, lookedAtBy, settledSteps } from "@/db/queries/peopleLabels";
import { typesOf } from "@/db/queries/taxonomies";
import { addTables, EMPTY_TABLE, type Table2 } from "@/lib/evaluate/agreement";
import { groupBy } from "@/lib/evaluate/groupBy";
import { SAME_TYPE } from "@/lib/evaluate/localizerScores";
import type { Reach } from "@/lib/review/queue/reach";
import { type Quality, qualityAgainstPeople } from "./quality";
import { settledReaches, unknownFrom } from "./reaches";

/** A detector or an annotator against people, on one type. */
export interface TypeQuality extends Quality {
  typeId: number;
  slug: string;
  name: string;
  /** settled | name of a data set */
  people: string;
  by: Pick<LookedAt, "localizerId" | "kind" | "name" | "version">;
  /** Steps by how far they stand for others: drawn at random from all, from flagged ones, chosen; null: of a data set. */
  reach: Record<Reach, number> | null;
}

interface Truth {
  stepId: number;
  trajectoryId: number;
  /** Null: the data set chose it. */
  reach: Reach | null;
  has: (type: { id: number; slug: string }) => boolean;
}

function cell(people: boolean, model: boolean): Table2 {
  const [p, m] = [people ? 1 : 0, model ? 1 : 0];
  return { bothBad: p * m, firstBad: p * (1 - m), secondBad: (1 - p) * m, bothGood: (1 - p) * (1 - m) };
}

const countsOf = (reaches: readonly Reach[]): Record<Reach, number> => {
  const out = { all: 0, flagged: 0, chosen: 0 };
  for (const reach of reaches) out[reach]++;
  return out;
};

/** Types that can be the same as a category of a data set. */
const counterparts = (dataset: string): Set<string> => new Set(Object.values(SAME_TYPE[dataset] ?? {}).flat());

/** What people say, by where they said it. */
function sourcesOf(db: Db, taxonomyId: number): { people: string; truths: Truth[] }[] {
  const reaches = settledReaches(db);
  const settled = settledSteps(db, taxonomyId).map(
    (s): Truth => ({
      ...s,
      reach: reaches.get(s.stepId) ?? "chosen",
      has: (type) => s.types.includes(type.id),
    }),
  );
  const sets = [...groupBy(datasetSteps(db), (s) => s.dataset)].flatMap(([dataset, rows]) => {
    if (counterparts(dataset).size === 0) return [];
    const truths = [...groupBy(rows, (r) => r.stepId).values()].map((same): Truth => {
      const [first] = same as [(typeof same)[number]];
      const slugs = new Set<string>(same.flatMap((r) => SAME_TYPE[dataset]?.[r.category] ?? []));
      return {
        stepId: first.stepId,
        trajectoryId: first.trajectoryId,
        reach: null,
        has: (type) => slugs.has(type.slug),
      };
    });
    return [{ people: dataset, truths }];
  });
  return [...(settled.length > 0 ? [{ people: "settled", truths: settled }] : []), ...sets];
}

/**
 * Precision and recall of every rule set and annotator on the types of a taxonomy version, against settled reviews and
 * against each data set with a category that says the same. Over steps that people gave an answer for and it looked at;
 * types nobody was asked about are not there. Of settled reviews, recall is over the steps drawn at random from all, and
 * not known where there are none: what was flagged says nothing of what was passed over.
 */
export function typesAgainstPeople(db: Db, taxonomyId: number, slug?: string): TypeQuality[] {
  const types = typesOf(db, taxonomyId).filter(
    (t) => t.status !== "retired" && (slug === undefined || t.slug === slug),
  );
  return sourcesOf(db, taxonomyId).flatMap(({ people, truths }) => {
    const looked = groupBy(
      lookedAtBy(
        db,
        taxonomyId,
        truths.map((t) => t.stepId),
      ),
      (l) => l.localizerId,
    );
    const asked = people === "settled" ? types : types.filter((t) => counterparts(people).has(t.slug));
    return asked.flatMap((type) =>
      [...looked.values()].map((rows): TypeQuality => {
        const by = rows[0] as LookedAt;
        const given = new Map(rows.map((r) => [r.stepId, r.types]));
        const both = truths.filter((t) => given.has(t.stepId));
        const tables = (of: readonly Truth[]) =>
          [...groupBy(of, (t) => t.trajectoryId).values()].map((same) =>
            same
              .map((t) => cell(t.has(type), given.get(t.stepId)?.includes(type.id) === true))
              .reduce(addTables, EMPTY_TABLE),
          );
        const reaches = both.flatMap((t) => t.reach ?? []);
        const unknown = people === "settled" ? unknownFrom(reaches) : null;
        const standing = both.filter((t) => t.reach === null || t.reach === "all");
        return {
          ...qualityAgainstPeople(tables(both), `${people} ${type.slug} ${by.name}`, unknown ?? tables(standing)),
          ...{ typeId: type.id, slug: type.slug, name: type.name, people },
          by: { localizerId: by.localizerId, kind: by.kind, name: by.name, version: by.version },
          reach: people === "settled" ? countsOf(reaches) : null,
        };
      }),
    );
  });
}
