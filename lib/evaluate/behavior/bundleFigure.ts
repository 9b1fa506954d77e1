import { visible } from "@/lib/text/glyphs";
import { escapeMarkup } from "@/lib/text/markup";
import { type FigureMark, percentText } from "./view";

const WIDTH = 760;
const FROM = 12;
const LONG = 640;
const LINE = 20;
const TITLE = 26;

/** Colours of checkpoints in order, on white, told apart by shape too. */
const COLOURS = ["#20607c", "#8a5a00", "#1f6b3a", "#a3261c", "#5b6068", "#22262c"];

function shape(place: number, x: number, y: number): string {
  const fill = COLOURS[place % COLOURS.length];
  const corners: [number, number][][] = [
    [],
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ],
    [
      [0, -1.2],
      [1.15, 0.9],
      [-1.15, 0.9],
    ],
    [
      [0, -1.35],
      [1.2, 0],
      [0, 1.35],
      [-1.2, 0],
    ],
  ];
  const points = corners[place % corners.length] as [number, number][];
  if (points.length === 0) return `<circle cx="${x}" cy="${y}" r="4.5" fill="${fill}"/>`;
  const at = points.map(([dx, dy]) => `${(x + 4 * dx).toFixed(1)},${(y + 4 * dy).toFixed(1)}`).join(" ");
  return `<polygon points="${at}" fill="${fill}"/>`;
}

const text = (x: number, y: number, size: number, content: string, more = ""): string =>
  `<text x="${x}" y="${y}" font-size="${size}"${more}>${escapeMarkup(visible(content))}</text>`;

/** The marks of one judge as an SVG that needs nothing around it; each mark has its explanation as a title. */
export function figureSvg(judge: string, marks: readonly FigureMark[], end: number): string {
  const x = (value: number) => Number((FROM + (LONG * Math.min(Math.max(value, 0), end)) / end).toFixed(2));
  const parts: string[] = [];
  let y = 34;
  let last: number | null = null;
  for (const mark of marks) {
    if (mark.errorTypeId !== last) {
      last = mark.errorTypeId;
      parts.push(text(FROM, y + 18, 12, mark.misbehavior, ' font-weight="600"'));
      y += TITLE;
    }
    const middle = y + LINE / 2;
    const { interval, value } = mark;
    const title = `<title>${escapeMarkup(mark.lines.map(visible).join("\n"))}</title>`;
    const line = interval
      ? `<line x1="${x(interval.low)}" x2="${x(interval.high)}" y1="${middle}" y2="${middle}" stroke="${COLOURS[mark.place % COLOURS.length]}" stroke-width="2"/>`
      : "";
    const drawn =
      value === null
        ? text(FROM + 4, middle + 4, 11, "not known", ' font-style="italic" fill="#5b6068"')
        : `${shape(mark.place, x(value), middle)}${text(WIDTH - 4, middle + 4, 11, `${percentText(value)}${mark.leaked ? " †" : ""}`, ' text-anchor="end"')}`;
    parts.push(
      `<g>${title}<rect x="0" y="${y}" width="${WIDTH}" height="${LINE}" fill="transparent"/>${line}${drawn}</g>`,
    );
    y += LINE;
  }
  const axis = [0, end / 2, end].map(
    (value) =>
      `<line x1="${x(value)}" x2="${x(value)}" y1="30" y2="${y + 4}" stroke="#d5d7da"/>${text(x(value), y + 18, 11, percentText(value), ` fill="#5b6068"${value === 0 ? "" : ' text-anchor="middle"'}`)}`,
  );
  const named = [...new Map(marks.map((m) => [m.place, m.checkpoint])).entries()];
  const legend = named.map(([place, name], i) => {
    const at = FROM + i * Math.floor((WIDTH - FROM) / named.length);
    return `${shape(place, at + 6, 16)}${text(at + 16, 20, 12, place === 0 ? `${name} (base)` : name)}`;
  });
  const label = escapeMarkup(visible(`Misbehavior rates, judge ${judge}`));
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${y + 24}" width="${WIDTH}" height="${y + 24}" font-family="sans-serif" fill="#22262c"><rect width="${WIDTH}" height="${y + 24}" fill="#ffffff"/>${axis.join("")}${legend.join("")}${parts.join("")}</svg>`;
}
