import { priceRows } from "@/db/queries/study";
import { PAPER } from "@/lib/evaluate/paper/published";
import type { Context } from "@/lib/study/report/context";
import type { Figure } from "@/lib/study/report/types";

/** Prices of model calls. */
export function table4({ db }: Context): Figure {
  const own = priceRows(db);
  const header = ["Model", "Role", "Currency", "Input", "Cached", "Output"];
  return {
    id: "table-4",
    number: "Table 4",
    title: "Prices per million tokens",
    blocks: [
      ...(own.length === 0
        ? []
        : [
            {
              kind: "table" as const,
              name: "table-4-own",
              title: "Prices of this index",
              header: ["Model", "Currency", "Input", "Cached", "Output"],
              links: own.map(() => "/cost"),
              rows: own.map((p) => [p.model, p.currency, p.input, p.cached, p.output]),
            },
          ]),
      {
        kind: "table",
        name: "table-4-published",
        title: "Published",
        header,
        rows: PAPER.prices_per_million_tokens.rows.map((p) => [
          p.model,
          p.role,
          p.currency,
          p.input,
          p.cached,
          p.output,
        ]),
      },
    ],
    absent:
      own.length === 0
        ? "Policy, localizer, teacher, annotator and judges of a study run on this machine: no call has a price."
        : null,
    notes: [],
  };
}
