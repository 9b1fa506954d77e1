import { type Move, SUBMIT } from "./family";
import type { Generated } from "./generate";

/** A stage of what the suite's expert does from the start; of several moves any is right. */
export interface ExpertStage {
  stage: "look" | "act" | "verify" | "submit";
  moves: Move[];
}

/** What the expert does when nothing has happened yet and each of its steps comes to what it should. */
export function expertFromStart({ instance }: Generated): ExpertStage[] {
  return [
    { stage: "look", moves: instance.look },
    { stage: "act", moves: [instance.act(new Set())] },
    { stage: "verify", moves: instance.verify },
    { stage: "submit", moves: [{ thought: "it is right, so submit", command: SUBMIT }] },
  ];
}

const ROW = 16;

/** The first bytes as a hex dump, `rows` lines of 16 with their printable characters. */
export function hexHead(bytes: Buffer, rows: number): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length && lines.length < rows; at += ROW) {
    const row = bytes.subarray(at, at + ROW);
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const plain = Array.from(row, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${hex.padEnd(ROW * 3 - 1)}  ${plain}`);
  }
  return lines.join("\n");
}
