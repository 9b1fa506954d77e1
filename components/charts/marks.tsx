/** Lines of one chart are told apart by shape and dashes as well as by colour. */
export const LOOKS = [
  { stroke: "var(--accent)", dash: undefined, shape: "circle", name: "solid, circles" },
  { stroke: "var(--warn)", dash: "6 3", shape: "square", name: "dashed, squares" },
  { stroke: "var(--good)", dash: "2 3", shape: "triangle", name: "dotted, triangles" },
  { stroke: "var(--bad)", dash: "8 3 2 3", shape: "diamond", name: "dash-dotted, diamonds" },
  { stroke: "var(--muted)", dash: undefined, shape: "square", name: "solid, squares" },
  { stroke: "var(--text)", dash: "6 3", shape: "circle", name: "dashed, circles" },
  { stroke: "var(--accent)", dash: "2 3", shape: "diamond", name: "dotted, diamonds" },
  { stroke: "var(--bad)", dash: undefined, shape: "triangle", name: "solid, triangles" },
  { stroke: "var(--good)", dash: undefined, shape: "diamond", name: "solid, diamonds" },
  { stroke: "var(--warn)", dash: "2 3", shape: "circle", name: "dotted, circles" },
  { stroke: "var(--text)", dash: "8 3 2 3", shape: "square", name: "dash-dotted, squares" },
  { stroke: "var(--accent)", dash: "6 3", shape: "triangle", name: "dashed, triangles" },
  { stroke: "var(--warn)", dash: "6 3", shape: "diamond", name: "dashed, diamonds" },
  { stroke: "var(--good)", dash: "8 3 2 3", shape: "circle", name: "dash-dotted, circles" },
  { stroke: "var(--bad)", dash: "2 3", shape: "square", name: "dotted, squares" },
  { stroke: "var(--muted)", dash: "8 3 2 3", shape: "triangle", name: "dash-dotted, triangles" },
] as const;
export type Shape = (typeof LOOKS)[number]["shape"];

/** The mark of a line at a place of a drawing. */
export function Mark({
  shape = "circle",
  cx,
  cy,
  size = 4,
  fill,
  onClick,
}: {
  shape?: Shape;
  cx?: number;
  cy?: number;
  /** Half of its height. */
  size?: number;
  fill?: string;
  onClick?: () => void;
}) {
  if (cx === undefined || cy === undefined) return null;
  const corners: Record<Exclude<Shape, "circle">, [number, number][]> = {
    square: [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ],
    triangle: [
      [0, -1.2],
      [1.15, 0.9],
      [-1.15, 0.9],
    ],
    diamond: [
      [0, -1.35],
      [1.2, 0],
      [0, 1.35],
      [-1.2, 0],
    ],
  };
  // A list of every point elsewhere offers the same to the keyboard.
  const props = {
    fill,
    stroke: "none",
    ...(onClick ? { onClick, style: { cursor: "pointer" } } : {}),
  };
  if (shape === "circle") return <circle cx={cx} cy={cy} r={size} {...props} />;
  const points = corners[shape].map(([x, y]) => `${cx + x * size * 0.9},${cy + y * size * 0.9}`).join(" ");
  return <polygon points={points} {...props} />;
}
