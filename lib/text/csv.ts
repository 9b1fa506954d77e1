export type Cell = string | number | null;

function written(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One row as RFC 4180 CSV, without its line end. A cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly Cell[]): string => cells.map(written).join(",");

/** A table as RFC 4180 CSV. */
export const toCsv = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map(csvLine).join("\r\n");
