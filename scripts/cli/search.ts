import { Command, InvalidArgumentError } from "commander";
import { hasMadeRollouts } from "@/db/queries/errorSteps";
import { countHits, type HitCount, type SearchHit, searchSteps, waitingForIndex } from "@/db/queries/search";
import { indexWaitText } from "@/lib/jobs/indexWait";
import { formatCount } from "@/lib/text/format";
import { parseSearch, reasonQuery, type SearchTerm, stepQuery } from "@/lib/text/fts";
import { snippetsOf } from "@/lib/text/search-snippets";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { visible } from "./show";

interface SearchOptions extends JsonOption {
  reasons?: boolean;
  made?: boolean;
  limit: number;
  before?: string;
}

function limit(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1 || n > 500) throw new InvalidArgumentError("a whole number from 1 to 500");
  return n;
}

function view(hit: SearchHit, terms: SearchTerm[]) {
  return {
    trajectory: hit.trajectoryId,
    step: hit.entry.number,
    entry: hit.entry.index,
    task: hit.task,
    model: hit.model,
    outcome: hit.outcome,
    snippets: snippetsOf(hit, terms).map(({ field, snippet }) => ({ field, text: snippet.text })),
  };
}

const counted = ({ count, more }: HitCount) => `${more ? "over " : ""}${formatCount(count)}`;

/** misstep search WORDS… */
export function searchCommand(): Command {
  return new Command("search")
    .description(
      'search commands, thinking, outputs (or reasons); "phrases" and command: thinking: output: reason: work as on the page',
    )
    .argument("<words...>", "what to look for; the last word may be the beginning of one")
    .option("--reasons", "look in the reasons of flags")
    .option("--made", "with the rollouts that trainings and measurements made, which are left out else")
    .option("--limit <n>", "hits", limit, 20)
    .option("--before <cursor>", "go on below this place (printed at the end of a page)")
    .option("--json", "print JSON")
    .action((words: string[], options: SearchOptions) => {
      const db = openIndex();
      const terms = parseSearch(words.join(" "));
      const [steps, reasons] = [stepQuery(terms), reasonQuery(terms)];
      const where = options.reasons || (steps === null && reasons !== null) ? "reasons" : "steps";
      const query = where === "steps" ? steps : reasons;
      if (query === null) throw new UsageError("there is no word to look for");
      const before = options.before === undefined ? null : parseId(options.before);
      const leftOut = !options.made && hasMadeRollouts(db);
      const page = searchSteps(db, where, query, before, options.limit, leftOut ? "others" : "all");
      const made = leftOut ? countHits(db, where, query, "made") : null;
      const hits = page.hits.map((hit) => view(hit, terms));
      const waiting = waitingForIndex(db);
      const wait = indexWaitText(waiting);
      print(
        options,
        {
          total: page.total.count,
          moreThanTotal: page.total.more,
          next: page.next,
          leftOut: made && { total: made.count, moreThanTotal: made.more },
          notIndexedYet: waiting.trajectories,
          hits,
        },
        () => [
          ...hits.flatMap((hit) => [
            `${hit.trajectory} ${hit.step === null ? `entry ${hit.entry}` : `step ${hit.step}`}  ${visible([hit.task, hit.model, hit.outcome].filter(Boolean).join(" · "))}`,
            ...hit.snippets.map((s) => `    ${s.field}: ${visible(s.text).replaceAll("\n", " ⏎ ")}`),
          ]),
          `${formatCount(hits.length)} of ${counted(page.total)}${page.next ? `; more: --before ${page.next}` : ""}`,
          ...(made === null
            ? []
            : [
                `without the rollouts that trainings and measurements made, in which ${counted(made)} more; with them: --made`,
              ]),
          ...(wait === null ? [] : [wait]),
        ],
      );
    });
}
