import type { Block } from "./types";

export type CellValue = string | number | null;

const round = (x: number | null | undefined, digits = 2): number | null =>
  x === null || x === undefined ? null : Number(x.toFixed(digits));
const source = (published: boolean | undefined): string => (published ? "published" : "this study");

/** The data of a block as a table: what stands for it where nothing can be drawn, and what its CSV holds. */
export function blockTable(b: Block): { header: string[]; rows: CellValue[][] } {
  switch (b.kind) {
    case "bars":
      return {
        header: ["Of", b.unit === "%" ? "Percent" : "Points", "Low", "High", "Source"],
        rows: b.bars.map((x) => [x.name, round(x.value), round(x.low), round(x.high), source(x.published)]),
      };
    case "stacks": {
      const labels = [...new Set(b.bars.flatMap((x) => x.parts.map((p) => p.label)))];
      return {
        header: ["Of", ...labels.map((label) => `${label} (${b.unit})`), "Source"],
        rows: b.bars.map((x) => [
          x.name,
          ...labels.map((label) => {
            const part = x.parts.find((p) => p.label === label);
            return part === undefined ? "" : round(part.value);
          }),
          source(x.published),
        ]),
      };
    }
    case "curves":
      return {
        header: ["Of", b.xLabel, b.yLabel, "Source"],
        rows: b.curves
          .filter((c) => !c.guide)
          .flatMap((c) => c.points.map((p) => [c.name, round(p.x), round(p.y), source(c.published)])),
      };
    case "strip":
      return {
        header: ["Policy and task", "Solved", "Attempts", "Void"],
        rows: b.rows.flatMap((r) =>
          r.cells.map((c, i) => [`${r.name}, ${b.tasks[i]}`, c?.solved ?? null, c?.attempts ?? null, c?.void ?? null]),
        ),
      };
    case "table":
      return { header: b.header, rows: b.rows };
  }
}
