import "server-only";
import type { Db } from "@/db/client";
import { agreementTables, type LocalizerRow, listLocalizers } from "@/db/queries/localizers";
import { type Quality, qualityAgainstPeople } from "./quality";
import { settledReaches, unknownFrom } from "./reaches";

/** A localizer against what people say of the same steps. */
export interface LocalizerQuality extends Quality {
  /** settled reviews, or the name of a data set. */
  people: Pick<LocalizerRow, "id" | "kind" | "name" | "version">;
  localizer: Pick<LocalizerRow, "id" | "kind" | "name" | "version">;
  /** Steps people call wrong, of those the localizer judged or not. */
  marked: number;
}

/**
 * Every rule set and model against settled reviews and against each data set's labels, over the steps both judged. A step
 * that a data set does not mark is taken for right: where people mark the decisive step alone, precision is a lower bound.
 * Of settled reviews, recall is over the steps drawn at random from all, and not known where there are none.
 */
export function localizersAgainstPeople(db: Db): LocalizerQuality[] {
  const rows = listLocalizers(db);
  const people = rows.filter((r) => r.kind === "person" || r.kind === "dataset");
  const judges = rows.filter((r) => r.kind === "rule" || r.kind === "model");
  const reaches = settledReaches(db);
  const standing = [...reaches].flatMap(([step, reach]) => (reach === "all" ? [step] : []));
  const unknown = unknownFrom([...reaches.values()]);
  return people.flatMap((first) =>
    judges.flatMap((second) => {
      const clusters = agreementTables(db, first, second);
      if (clusters.length === 0) return [];
      const drawn = first.kind === "dataset" ? clusters : agreementTables(db, first, second, standing);
      const forRecall = drawn.length > 0 ? drawn : (unknown ?? "chosen");
      const quality = qualityAgainstPeople(clusters, `people ${first.kind} ${first.name} ${second.name}`, forRecall);
      return [{ ...quality, people: first, localizer: second, marked: first.bad }];
    }),
  );
}
