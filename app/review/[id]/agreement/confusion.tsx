import { CoefficientText } from "@/components/data/agreement-numbers";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Confused, RaterPair } from "@/lib/review/agreement/confusion";
import { categoryText } from "@/lib/review/names";
import { formatShare } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

type Names = Readonly<Record<string, string>>;
const RIGHT = "text-right tabular-nums";

/** What is taken for what, over all pairs of answers: a square that is the same above and below its diagonal. */
export function ConfusionTable({ confusion, names }: { confusion: readonly Confused[]; names: Names }) {
  if (confusion.length === 0) return null;
  const categories = [...new Set(confusion.flatMap((c) => [c.first, c.second]))].sort((a, b) =>
    a === "nothing" ? 1 : b === "nothing" ? -1 : categoryText(a, names) < categoryText(b, names) ? -1 : 1,
  );
  const cells = new Map(
    confusion.flatMap((c) => [
      [`${c.first} ${c.second}`, c.pairs],
      [`${c.second} ${c.first}`, c.pairs],
    ]),
  );
  return (
    <TableFrame label="What is taken for what">
      <thead>
        <tr>
          <Th className="align-bottom">Pairs of answers</Th>
          {categories.map((c) => (
            <Th key={c} className="max-w-32 min-w-16 py-1 text-right align-bottom whitespace-normal">
              {visible(categoryText(c, names))}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {categories
          .filter((row) => row !== "nothing")
          .map((row) => (
            <tr key={row}>
              <Th scope="row" className="text-sm font-normal whitespace-normal text-text">
                {visible(categoryText(row, names))}
              </Th>
              {categories.map((column) => {
                const n = cells.get(`${row} ${column}`) ?? 0;
                return (
                  <Td
                    key={column}
                    className={`${RIGHT} ${row === column ? "bg-good-soft" : n > 0 ? "bg-warn-soft" : "text-muted"}`}
                  >
                    {n}
                  </Td>
                );
              })}
            </tr>
          ))}
      </tbody>
    </TableFrame>
  );
}

/** Each pair of raters, with the table their kappa comes from. */
export function Pairs({
  pairs,
  people,
  names,
}: {
  pairs: readonly RaterPair[];
  people: Readonly<Record<number, string>>;
  names: Names;
}) {
  const who = (id: number) => visible(people[id] ?? `person ${id}`);
  return (
    <TableFrame label="Pairs of annotators">
      <thead>
        <tr>
          <Th>Pair</Th>
          <Th className="text-right">Items of both</Th>
          <Th className="text-right">Same answer</Th>
          <Th className="text-right">Cohen’s kappa</Th>
          <Th>Who said what</Th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair) => (
          <tr key={`${pair.first} ${pair.second}`}>
            <Td className="foreign min-w-36">
              {who(pair.first)} and {who(pair.second)}
            </Td>
            <Td className={RIGHT}>{pair.items}</Td>
            <Td className={RIGHT}>
              {formatShare(pair.same, pair.items)}
              <span className="block text-2xs text-muted">
                {pair.same} of {pair.items}
              </span>
            </Td>
            <Td className={`${RIGHT} whitespace-nowrap`}>
              <CoefficientText of={pair.kappa} />
            </Td>
            <Td>
              <details>
                <summary className="cursor-pointer text-accent">table of both</summary>
                <PairCells pair={pair} first={who(pair.first)} second={who(pair.second)} names={names} />
              </details>
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function PairCells({ pair, first, second, names }: { pair: RaterPair; first: string; second: string; names: Names }) {
  return (
    <table className="mt-1 text-xs">
      <caption className="foreign text-left text-muted">
        rows {first}, columns {second}
      </caption>
      <thead>
        <tr>
          <td />
          {pair.categories.map((c) => (
            <th key={c} scope="col" className="px-1.5 text-right font-medium">
              {visible(categoryText(c, names))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pair.table.map((row, i) => (
          <tr key={pair.categories[i]}>
            <th scope="row" className="px-1.5 text-left font-medium">
              {visible(categoryText(pair.categories[i] as string, names))}
            </th>
            {row.map((n, k) => (
              <td key={pair.categories[k]} className={`px-1.5 ${RIGHT} ${i === k ? "font-semibold" : ""}`}>
                {n}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
