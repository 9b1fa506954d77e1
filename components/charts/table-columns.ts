/** A cell of a chart's table; null: not known. */
export type Cell = string | number | null;

/** How a column of a chart's table is set: numbers to the right, prose with room for sentences. */
export type ColumnKind = "number" | "text" | "prose";

/** Longer texts are sentences. */
const NAME = 40;

/** Kind of each column by what stands in it; one without any value is of numbers. */
export const columnKinds = (header: readonly string[], rows: readonly (readonly Cell[])[]): ColumnKind[] =>
  header.map((_, i) => {
    const texts = rows.flatMap((row) => (typeof row[i] === "string" ? [row[i]] : []));
    if (texts.length === 0) return "number";
    return texts.some((text) => text.length > NAME) ? "prose" : "text";
  });

const decimals = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const digits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2, maximumFractionDigits: 20 });

/** A number with at most two decimals; one that rounding would make 0 keeps its size. */
export const numberText = (n: number): string => (n !== 0 && Math.abs(n) < 0.005 ? digits : decimals).format(n);
