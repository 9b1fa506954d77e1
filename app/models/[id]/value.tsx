import { z } from "zod";
import { Stated } from "@/components/data/stated";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { formatCount, formatPercent } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { wordsOf } from "./card-view";

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: unknown) => typeof value !== "object" || value === null;
const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number");

/** A share as cards write it: its parts, and its interval in 0…1. */
const rateSchema = z.object({
  hits: z.number(),
  of: z.number(),
  share: z.number(),
  interval: z.tuple([z.number(), z.number()]),
});

const rateOf = (value: unknown): z.infer<typeof rateSchema> | null => {
  const read = rateSchema.safeParse(value);
  return read.success ? read.data : null;
};

function Rate({ rate }: { rate: z.infer<typeof rateSchema> }) {
  const [low, high] = rate.interval;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {rate.of === 0 ? formatPercent(null) : formatPercent(100 * rate.share)}{" "}
      <span className="text-xs text-muted">
        {formatCount(rate.hits)} of {formatCount(rate.of)}, 95% interval {formatPercent(100 * low)} to{" "}
        {formatPercent(100 * high)}
      </span>
    </span>
  );
}

function Scalar({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <Stated value={null}>{() => null}</Stated>;
  if (typeof value === "number")
    return (
      <span className="tabular-nums">
        {Number.isInteger(value) ? formatCount(value) : Number(value.toPrecision(6))}
      </span>
    );
  return <span className="foreign break-words">{visible(String(value))}</span>;
}

/** Columns of a list of records, when every cell is a number, a word, a pair of numbers, or a share. */
function columnsOf(rows: unknown[]): string[] | null {
  if (rows.length === 0 || !rows.every(isPlain)) return null;
  const flat = rows.every((row) =>
    Object.values(row).every((cell) => isScalar(cell) || isNumbers(cell) || rateOf(cell) !== null),
  );
  return flat ? [...new Set(rows.flatMap((row) => Object.keys(row)))] : null;
}

function Cell({ value }: { value: unknown }) {
  const rate = rateOf(value);
  if (rate) return <Rate rate={rate} />;
  if (isNumbers(value))
    return <span className="tabular-nums">[{value.map((n) => Number(n.toPrecision(4))).join(", ")}]</span>;
  return <Scalar value={value} />;
}

function Records({ label, rows, columns }: { label: string; rows: Plain[]; columns: string[] }) {
  return (
    <TableFrame label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Th key={column}>{wordsOf(column)}</Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={JSON.stringify(row)}>
            {columns.map((column) => (
              <Td key={column}>
                <Cell value={row[column]} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** A value of a card, whatever its shape: a word, a list, a table of records, or names with values. */
export function Value({ name, value }: { name: string; value: unknown }) {
  if (isScalar(value)) return <Scalar value={value} />;
  if (Array.isArray(value)) {
    if (isNumbers(value) && value.length <= 4) return <Cell value={value} />;
    const columns = columnsOf(value);
    if (columns) return <Records label={wordsOf(name)} rows={value as Plain[]} columns={columns} />;
    return (
      <ul className="flex flex-col gap-0.5">
        {value.map((item) => (
          <li key={JSON.stringify(item)}>
            <Value name={name} value={item} />
          </li>
        ))}
      </ul>
    );
  }
  const rate = rateOf(value);
  if (rate) return <Rate rate={rate} />;
  const entries = Object.entries(value as Plain);
  const columns =
    entries.length > 1 && !entries.some(([, item]) => rateOf(item)) ? columnsOf(entries.map(([, item]) => item)) : null;
  if (columns)
    return (
      <Records
        label={wordsOf(name)}
        rows={entries.map(([key, item]) => ({ [name]: key, ...(item as Plain) }))}
        columns={[name, ...columns]}
      />
    );
  return (
    <dl className="grid grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      {entries.map(([key, item]) => (
        <div key={key} className="contents">
          <dt className="foreign text-muted">{visible(wordsOf(key))}</dt>
          <dd className="min-w-0">
            <Value name={key} value={item} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
