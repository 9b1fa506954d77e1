import { Command } from "commander";
import { all } from "@/db/queries/prepared";
import { countStandings, standings } from "@/lib/review/settle/unanimous";
import { type JsonOption, openIndex, print } from "@/scripts/cli/output";

/** misstep review list */
export const listCommand = (): Command =>
  new Command("list")
    .description("review queues, newest first, with how their items stand")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const db = openIndex();
      const queues = all<{ id: number }>(db, "select id from review_queue order by id desc").map(({ id }) => {
        const { queue, items } = standings(db, id);
        return { ...queue, items: items.length, standing: countStandings(items) };
      });
      print(options, queues, () =>
        queues.length === 0
          ? "no review queue yet; misstep review create makes one"
          : queues.map(
              ({ id, name, question, mode, phase, raters, items, standing: s }) =>
                `${id}  ${name}: ${question}, ${mode === "norming" ? `norming (${phase})` : phase}, ${raters} annotators an item, ${items} items: ${s.settled} settled, ${s.unanimous} unanimous, ${s.conflict} in conflict, ${s.unsure} unsure, ${s.waiting} waiting, ${s.gold} known`,
            ),
      );
    });
