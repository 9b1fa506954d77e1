import { type Line, pushText, type Run } from "./glyphs";
import { Sgr } from "./sgr";

const ESC = "\u001b";
const BEL = "\u0007";

// Groups: 1 parameters and 2 final of a CSI. Else an OSC, a DCS/SOS/PM/APC string with its end, or a short escape.
// A string without its end is not taken as one: it would hide all that follows.
const CSI = String.raw`\[([0-?]*)[ -/]*([@-~])`;
const OSC = String.raw`\][^${BEL}${ESC}\n]*(?:${BEL}|${ESC}\\)`;
const STRING = String.raw`[PX^_][^${ESC}\n]*${ESC}\\`;
const SHORT = `[()*+#%][ -~]|[=>78cDEHMNOZ]`;
const ESCAPE = new RegExp(`${ESC}(?:${CSI}|${OSC}|${STRING}|${SHORT})`, "g");
const MOVES = new RegExp(String.raw`[\r\b]|${ESC}\[\d*[KCG]`);

interface Cell {
  text: string;
  look: string;
  at: number;
}

const MAX_FORWARD = 500;

/** One line while the cursor can still move in it. */
class Row {
  private readonly cells: Cell[] = [];
  private column = 0;

  write(text: string, look: string, at: number): void {
    let offset = at;
    for (const char of text) {
      if (char === "\r") this.column = 0;
      else if (char === "\b") this.column = Math.max(0, this.column - 1);
      else {
        while (this.cells.length < this.column) this.cells.push({ text: " ", look: "", at: offset });
        this.cells[this.column++] = { text: char, look, at: offset };
      }
      offset += char.length;
    }
  }

  /** Erase in line: 0 from the cursor, 1 up to it, 2 all. */
  erase(mode: string): void {
    if (mode === "2") this.cells.length = 0;
    else if (mode === "1") for (const cell of this.cells.slice(0, this.column + 1)) cell.text = " ";
    else this.cells.length = Math.min(this.cells.length, this.column);
  }

  forward(count: number): void {
    this.column += Math.min(count, MAX_FORWARD);
  }

  line(): Line {
    const line: Line = [];
    let open: Cell | null = null;
    for (const cell of this.cells) {
      if (open && open.look === cell.look && open.at + open.text.length === cell.at) open.text += cell.text;
      else {
        if (open) pushText(line, open.text, open.look, open.at);
        open = { ...cell };
      }
    }
    if (open) pushText(line, open.text, open.look, open.at);
    return line;
  }
}

type Part = { text: string; at: number } | { csi: string; parameters: string; at: number };

/** The parts of a line: text, and control sequences that mean something inside a line. Others are dropped here. */
function partsOf(text: string, at: number): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), at: at + from });
    if (match[2] !== undefined) parts.push({ csi: match[2], parameters: match[1] ?? "", at: at + match.index });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), at: at + from });
  return parts;
}

function renderLine(text: string, at: number, sgr: Sgr): Line {
  const moves = MOVES.test(text);
  const line: Line = [];
  if (!moves && !text.includes(ESC)) {
    pushText(line, text, sgr.look, at);
    return line;
  }
  const row = moves ? new Row() : null;
  for (const part of partsOf(text, at)) {
    if ("text" in part) {
      if (row) row.write(part.text, sgr.look, part.at);
      else pushText(line, part.text, sgr.look, part.at);
    } else if (part.csi === "m") sgr.apply(part.parameters);
    else if (part.csi === "K") row?.erase(part.parameters);
    else if (part.csi === "C") row?.forward(Number(part.parameters) || 1);
    else if (part.csi === "G") row?.write("\r", sgr.look, part.at);
  }
  return row ? row.line() : line;
}

/**
 * What a terminal would show of an output: colours as class names, carriage returns, backspaces and line erasing
 * resolved, other control sequences (titles, clipboard, links, cursor addressing) dropped, what is left of control
 * characters made visible. Never interprets anything as markup. Linear in the text.
 */
export function renderTerminal(text: string): Line[] {
  const sgr = new Sgr();
  const lines: Line[] = [];
  let at = 0;
  for (const part of text.split("\n")) {
    lines.push(renderLine(part.endsWith("\r") ? part.slice(0, -1) : part, at, sgr));
    at += part.length + 1;
  }
  return lines;
}

/** Whether the rendered view differs from the raw one, so that a switch between them is of use. */
export const hasControls = (text: string): boolean => /(?![\t\n])\p{Cc}/u.test(text);

export type { Line, Run };
