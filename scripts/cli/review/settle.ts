import { Command } from "commander";
import { offeredTypes } from "@/db/queries/reviewAnswers";
import { statement } from "@/db/statement";
import { saidText } from "@/lib/review/names";
import { decide, reopen } from "@/lib/review/settle/decide";
import { said } from "@/lib/review/settle/standing";
import { adoptUnanimous, standings } from "@/lib/review/settle/unanimous";
import { plural } from "@/lib/text/format";
import { type JsonOption, openIndex, print, UsageError } from "@/scripts/cli/output";
import { whole } from "@/scripts/cli/prefix";
import { CLI, pickQueue, refusing } from "./pick";

interface Options extends JsonOption {
  unanimous?: boolean;
  item?: number;
  as?: string;
  types?: string;
  comment?: string;
  reopen?: boolean;
}

/** misstep review settle */
export const settleCommand = (): Command =>
  new Command("settle")
    .description("list what is in conflict, adopt what all annotators say, decide an item or take its decision back")
    .argument("<queue>", "number or name")
    .option("--unanimous", "adopt all items on which every annotator says the same")
    .option("--item <place>", "item of the queue, by its place", whole(1, Number.MAX_SAFE_INTEGER))
    .option("--as <verdict>", "decide the item: wrong, right, types, yes, no, good, bad, unsure or environment")
    .option("--types <slugs>", "with --as types: slugs of the types, with commas between")
    .option("--comment <text>", "why")
    .option("--reopen", "take the decision of the item back")
    .option("--json", "print JSON")
    .action((given: string, options: Options) => {
      const db = openIndex();
      const queue = pickQueue(db, given);
      const types = offeredTypes(db, queue.taxonomyId);
      if (options.unanimous) {
        const adopted = refusing(() => adoptUnanimous(db, queue.id, CLI));
        const { conflict, unsure, waiting, gold, settled } = adopted.leftOut;
        print(
          options,
          adopted,
          () =>
            `${plural(adopted.adopted, "item")} adopted; left out: ${conflict} in conflict, ${unsure} on which all are unsure, ${waiting} waiting for answers, ${gold} known, ${settled} settled before`,
        );
        return;
      }
      if (options.item !== undefined) {
        const item = statement(db, "select id from review_item where queue_id = ? and position = ?").get(
          queue.id,
          options.item,
        ) as { id: number } | undefined;
        if (!item) throw new UsageError(`${queue.name} has no item ${options.item}`);
        if (options.reopen) {
          refusing(() => reopen(db, item.id, CLI));
          print(options, { reopened: options.item }, () => `item ${options.item} is open again`);
          return;
        }
        const verdict = options.as;
        if (verdict === undefined) throw new UsageError("say what it is settled as: --as <verdict>, or --reopen");
        const slugs = (options.types ?? "").split(",").filter((slug) => slug !== "");
        const ids = slugs.map((slug) => {
          const type = types.find((t) => t.slug === slug);
          if (!type)
            throw new UsageError(
              `there is no type "${slug}"; there are ${types.map((t) => t.slug).join(", ") || "none"}`,
            );
          return type.id;
        });
        const changed = refusing(() =>
          decide(db, item.id, { verdict, types: ids, comment: options.comment ?? null }, CLI),
        );
        print(options, { item: options.item, changed }, () =>
          changed ? `item ${options.item} settled` : `item ${options.item} was settled like that already`,
        );
        return;
      }
      const names = Object.fromEntries(types.map((t) => [String(t.id), t.name]));
      const conflicts = standings(db, queue.id)
        .items.filter((i) => i.standing === "conflict")
        .map(({ item, answers }) => ({
          item: item.position,
          subject: item.subjectId,
          answers: answers.map((a) => ({ says: saidText(said(a), names), reason: a.reason })),
        }));
      print(options, conflicts, () => [
        ...conflicts.flatMap((c) => [
          `item ${c.item}`,
          ...c.answers.map((a) => `  ${a.says}${a.reason ? `: ${a.reason}` : ""}`),
        ]),
        `${plural(conflicts.length, "item")} in conflict`,
      ]);
    });
