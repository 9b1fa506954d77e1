import { nameLines } from "./name-lines";

const LINE = 12;
/** A little more than the mean width of a character at this size, so that names keep inside. */
const CHARACTER = 7;

/**
 * Name of a bar, right-aligned before `x`; a long one takes two lines, and where it does not fit there an ellipsis stands for its
 * middle, which is said on pointing. Nothing is measured: server and browser draw the same.
 */
export function BarName({ x, y, name }: { x: number; y: number; name: string }) {
  const lines = nameLines(name, Math.floor(x / CHARACTER));
  const first = y - ((lines.length - 1) * LINE) / 2;
  return (
    <text textAnchor="end" fontSize={12} fill="var(--text)">
      <title>{name}</title>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <tspan key={i} x={x} y={first + i * LINE} dy="0.355em">
          {line}
        </tspan>
      ))}
    </text>
  );
}
