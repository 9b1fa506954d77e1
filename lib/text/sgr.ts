import Anser from "anser";

const COLORS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const DECORATIONS: Record<string, string> = {
  bold: "a-b",
  dim: "a-d",
  italic: "a-i",
  underline: "a-u",
  strikethrough: "a-s",
  hidden: "a-h",
};

/** The one of the eight colours nearest in hue: themes keep these readable on their ground, free colours are not. */
function nearest(r: number, g: number, b: number): number {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  if (max - min < 40) return max < 90 ? 0 : 7;
  const middle = (max + min) / 2;
  return (r > middle ? 1 : 0) + (g > middle ? 2 : 0) + (b > middle ? 4 : 0);
}

function palette(index: number): number {
  if (index >= 232) return index < 240 ? 0 : 7;
  const level = (n: number) => (n === 0 ? 0 : 55 + 40 * n);
  const i = index - 16;
  return nearest(level(Math.floor(i / 36)), level(Math.floor(i / 6) % 6), level(i % 6));
}

function colorOf(name: string | null, truecolor: string | null): number | null {
  if (name === null) return null;
  if (name === "ansi-truecolor") {
    const [r = 0, g = 0, b = 0] = (truecolor ?? "").split(",").map(Number);
    return nearest(r, g, b);
  }
  const indexed = /^ansi-palette-(\d+)$/.exec(name);
  if (indexed) return palette(Number(indexed[1]));
  const index = COLORS.indexOf(name.replace(/^ansi-(bright-)?/, ""));
  return index === -1 ? null : index;
}

/** Anser keeps every repeated decoration; a hostile text of a million "bold" would make it quadratic. */
interface WithDecorations {
  decorations: string[];
}

/** Keeps the state of colours and decorations across a text and gives class names. */
export class Sgr {
  private readonly anser = new Anser();
  look = "";

  /** Applies the parameters of one `ESC [ … m`. */
  apply(parameters: string): void {
    const entry = this.anser.processChunkJson(`${parameters}m`, { json: true, use_classes: true }, true);
    const state = this.anser as unknown as WithDecorations;
    state.decorations = [...new Set(state.decorations)];
    const reverse = state.decorations.includes("reverse");
    // Without a stated colour Anser's swap leaves one side empty; then the ground of the terminal is meant.
    const fg = colorOf(entry.fg, entry.fg_truecolor);
    const bg = colorOf(entry.bg, entry.bg_truecolor);
    const looks = state.decorations.flatMap((d) => DECORATIONS[d] ?? []);
    if (reverse && fg === null && bg === null) looks.push("a-r");
    if (fg !== null && fg !== bg) looks.push(`f${fg}`);
    if (bg !== null) looks.push(`g${bg}`);
    this.look = looks.join(" ");
  }
}
