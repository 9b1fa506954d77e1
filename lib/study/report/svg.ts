import { visible } from "@/lib/text/glyphs";
import { escapeMarkup } from "@/lib/text/markup";
import { spacedTicks } from "@/lib/text/ticks";
import type { Block, ReportBar, ReportCurve, ReportStack } from "./types";

const WIDTH = 820;
const NAMES = 300;
const RIGHT = 70;
const ROW = 24;
const FOOT = 26;

const n = (x: number): string => String(Number(x.toFixed(1)));
const write = (x: number, y: number, content: string, more = "", size = 12): string =>
  `<text x="${n(x)}" y="${n(y)}" font-size="${size}" fill="var(--text)" font-family="sans-serif"${more}>${escapeMarkup(visible(content))}</text>`;
const titled = (says: string, inner: string): string => `<g><title>${escapeMarkup(visible(says))}</title>${inner}</g>`;
const cut = (s: string, most: number): string => (s.length <= most ? s : `${s.slice(0, most - 1)}…`);
const svg = (height: number, label: string, inner: string): string =>
  `<svg viewBox="0 0 ${WIDTH} ${n(height)}" role="img" aria-label="${escapeMarkup(visible(label))}">${inner}</svg>`;

/** About five round numbers of a range. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= rough) ?? 10 * size;
  const found: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high + 1e-9; at += step) found.push(Number(at.toPrecision(10)));
  return found;
}

/** Places of values from left to right, with the lines of the axis. */
function across(low: number, high: number, height: number, unit: string) {
  const x = (v: number) => NAMES + ((v - low) / (high - low)) * (WIDTH - NAMES - RIGHT);
  const axis = ticks(low, high)
    .map(
      (at) =>
        `<line x1="${n(x(at))}" x2="${n(x(at))}" y1="0" y2="${n(height - FOOT)}" stroke="var(${at === 0 ? "--strong" : "--line"})"/>${write(x(at), height - 8, `${at.toLocaleString("en-US")}${unit}`, ' text-anchor="middle"', 11)}`,
    )
    .join("");
  return { x, axis };
}

function bars(title: string, unit: string, rows: readonly ReportBar[]): string {
  const ends = rows.flatMap((b) => [b.value, b.low, b.high]).filter((v) => v !== null);
  const low = Math.min(0, ...ends);
  const high = Math.max(1, ...ends);
  const pad = low < 0 ? (high - low) * 0.04 : 0;
  const height = rows.length * ROW + FOOT;
  const { x, axis } = across(low - pad, high, height, unit === "%" ? "%" : "");
  const drawn = rows.map((b, i) => {
    const y = i * ROW + ROW / 2;
    const name = write(NAMES - 8, y + 4, cut(b.name, 44), ' text-anchor="end"');
    if (b.value === null)
      return titled(`${b.name}: ${b.says}`, name + write(NAMES + 6, y + 4, "not known", ' font-style="italic"', 11));
    const from = Math.min(x(0), x(b.value));
    const look = b.published
      ? 'fill="none" stroke="var(--muted)" stroke-dasharray="3 2"'
      : 'fill="var(--accent)" fill-opacity="0.75"';
    const whisker =
      b.low === null || b.high === null
        ? ""
        : `<path d="M${n(x(b.low))},${n(y - 4)}v8M${n(x(b.low))},${n(y)}H${n(x(b.high))}M${n(x(b.high))},${n(y - 4)}v8" stroke="var(--text)" stroke-width="1.5" fill="none"/>`;
    const end = Math.max(x(b.value), b.high === null ? 0 : x(b.high), x(0));
    return titled(
      `${b.name}: ${b.says}`,
      `${name}<rect x="${n(from)}" y="${n(y - 7)}" width="${n(Math.max(1, Math.abs(x(b.value) - x(0))))}" height="14" ${look}/>${whisker}${write(end + 5, y + 4, b.value.toFixed(1), "", 11)}`,
    );
  });
  return svg(height, title, axis + drawn.join(""));
}

const SHADES = ["var(--accent)", "var(--soft)", "var(--strong)", "var(--line)"];

function stacks(title: string, rows: readonly ReportStack[], unit: string): string {
  const labels = [...new Set(rows.flatMap((b) => b.parts.map((p) => p.label)))];
  const sums = rows.map((b) => b.parts.reduce((sum, p) => sum + (p.value ?? 0), 0));
  const top = 22;
  const height = top + rows.length * ROW + FOOT;
  const low = Math.min(0, ...sums);
  const { x, axis } = across(low, Math.max(1e-9, low === 0 ? 1e-9 : 0, ...sums), height, "");
  const legend = labels
    .map(
      (label, i) =>
        `<rect x="${NAMES + i * 130}" y="4" width="10" height="10" fill="${SHADES[i % SHADES.length]}" stroke="var(--strong)"/>${write(NAMES + 14 + i * 130, 13, label, "", 11)}`,
    )
    .join("");
  const drawn = rows.map((b, i) => {
    const y = top + i * ROW + ROW / 2;
    let from = 0;
    const parts = b.parts.flatMap((p) => {
      if (p.value === null) return [];
      const begin = Math.min(from, from + p.value);
      const width = Math.max(1, Math.abs(x(p.value) - x(0)));
      from += p.value;
      const shade = SHADES[labels.indexOf(p.label) % SHADES.length];
      const look = b.published
        ? 'fill="none" stroke="var(--muted)" stroke-dasharray="3 2"'
        : `fill="${shade}" stroke="var(--strong)" stroke-width="0.5"`;
      return [`<rect x="${n(x(begin))}" y="${n(y - 7)}" width="${n(width)}" height="14" ${look}/>`];
    });
    const unknown = b.parts.every((p) => p.value === null);
    const end = unknown ? "not known" : from.toLocaleString("en-US", { maximumFractionDigits: 1 });
    return titled(
      `${b.name} (${unit}): ${b.says}`,
      `${write(NAMES - 8, y + 4, cut(b.name, 44), ' text-anchor="end"')}${parts.join("")}${write(Math.max(x(0), x(from)) + 5, y + 4, end, "", 11)}`,
    );
  });
  return svg(height, title, axis + legend + drawn.join(""));
}

/** Curves differ by dashes as well as by colour. */
const LOOKS = [
  ["var(--accent)", ""],
  ["var(--warn)", "6 3"],
  ["var(--good)", "2 3"],
  ["var(--bad)", "8 3 2 3"],
  ["var(--muted)", "1 3"],
  ["var(--text)", "10 4"],
] as const;

/** Marks around 0,0, so that curves differ by more than colour. */
const SHAPES = [
  "M-3.5,0a3.5,3.5 0 1 0 7,0a3.5,3.5 0 1 0 -7,0",
  "M-3.2,-3.2H3.2V3.2H-3.2Z",
  "M0,-4L4,3.2H-4Z",
  "M0,-4.5L4.5,0L0,4.5L-4.5,0Z",
] as const;
const tick = (value: number): string => value.toLocaleString("en-US");

function curves(title: string, all: readonly ReportCurve[], xLabel: string, yLabel: string, log: boolean): string {
  const points = all.flatMap((c) => c.points);
  if (points.length === 0) return "";
  const place = (v: number) => (log ? Math.log2(v) : v);
  const xs = [...new Set(points.map((p) => p.x))].sort((a, b) => a - b);
  const ys = points.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]);
  const [x0, x1] = [place(xs[0] ?? 0), place(xs.at(-1) ?? 1)];
  const span = Math.max(1e-9, Math.max(...ys) - Math.min(...ys));
  const [y0, y1] = [Math.max(0, Math.min(...ys) - 0.1 * span), Math.max(...ys) + 0.1 * span];
  const [top, plot] = [10 + 16 * all.length, 240];
  const x = (v: number) => 60 + (x1 === x0 ? 0.5 : (place(v) - x0) / (x1 - x0)) * (WIDTH - 100);
  const y = (v: number) => top + (1 - (v - y0) / (y1 - y0)) * plot;
  const axis = [
    ...ticks(y0, y1).map(
      (at) =>
        `<line x1="60" x2="${WIDTH - 40}" y1="${n(y(at))}" y2="${n(y(at))}" stroke="var(--line)"/>${write(54, y(at) + 4, String(at), ' text-anchor="end"', 11)}`,
    ),
    ...spacedTicks(xs, x, tick).map((at) => write(x(at), top + plot + 16, tick(at), ' text-anchor="middle"', 11)),
    write(WIDTH / 2, top + plot + 34, `${xLabel} → ${yLabel}`, ' text-anchor="middle"', 11),
  ].join("");
  const drawn = all.map((c, i) => {
    const [stroke, dash] = LOOKS[i % LOOKS.length] as (typeof LOOKS)[number];
    const line = `stroke="${stroke}" stroke-width="1.8" fill="none"${dash === "" ? "" : ` stroke-dasharray="${dash}"`}`;
    const path = c.points.map((p, at) => `${at === 0 ? "M" : "L"}${n(x(p.x))},${n(y(p.y))}`).join("");
    const mark = (cx: number, cy: number) =>
      `<path d="${SHAPES[i % SHAPES.length]}" transform="translate(${n(cx)} ${n(cy)})" fill="${c.published ? "var(--bg)" : stroke}" stroke="${stroke}"/>`;
    const key = c.apart ? "" : `<line x1="60" x2="88" y1="${10 + 16 * i}" y2="${10 + 16 * i}" ${line}/>`;
    const legend = `${key}${c.guide ? "" : mark(74, 10 + 16 * i)}${write(94, 14 + 16 * i, c.name)}`;
    const marks = c.guide
      ? ""
      : c.points
          .map((p) =>
            titled(
              `${c.name}: ${p.says}`,
              `${p.low == null || p.high == null ? "" : `<line x1="${n(x(p.x))}" x2="${n(x(p.x))}" y1="${n(y(p.low))}" y2="${n(y(p.high))}" stroke="${stroke}"/>`}${mark(x(p.x), y(p.y))}`,
            ),
          )
          .join("");
    return `${legend}${c.apart ? "" : `<path d="${path}" ${line}/>`}${marks}`;
  });
  return svg(top + plot + 44, title, axis + drawn.join(""));
}

function strip(b: Extract<Block, { kind: "strip" }>): string {
  const cell = Math.max(4, Math.min(24, (WIDTH - 20) / Math.max(1, b.tasks.length)));
  const drawn = b.rows.map((r, at) => {
    const top = at * 46;
    const cells = r.cells.map((c, i) => {
      const x = 4 + i * cell;
      const full = c && c.attempts > 0 ? (22 * c.solved) / c.attempts : 0;
      const says = c
        ? `${r.name}, ${c.task}: ${c.solved} of ${c.attempts} solved`
        : `${r.name}, ${b.tasks[i]}: not attempted`;
      const cross =
        c && c.attempts > 0 ? "" : `<path d="M${n(x)},${top + 18}l${n(cell - 1.5)},22" stroke="var(--muted)"/>`;
      return titled(
        says,
        `<rect x="${n(x)}" y="${top + 18}" width="${n(cell - 1.5)}" height="22" fill="none" stroke="var(--strong)" stroke-width="0.5"/><rect x="${n(x)}" y="${n(top + 40 - full)}" width="${n(cell - 1.5)}" height="${n(full)}" fill="var(--accent)"/>${cross}`,
      );
    });
    return write(4, top + 13, r.name) + cells.join("");
  });
  return svg(b.rows.length * 46, b.title, drawn.join(""));
}

/** A block as an SVG whose colours are the page's variables; "" where there is nothing to draw. */
export function blockSvg(b: Block): string {
  switch (b.kind) {
    case "bars":
      return b.bars.length === 0 ? "" : bars(b.title, b.unit, b.bars);
    case "stacks":
      return b.bars.length === 0 ? "" : stacks(b.title, b.bars, b.unit);
    case "curves":
      return curves(b.title, b.curves, b.xLabel, b.yLabel, b.log ?? false);
    case "strip":
      return b.rows.length === 0 ? "" : strip(b);
    case "table":
      return "";
  }
}
