import "server-only";
import { randomBytes } from "node:crypto";
import fs from "node:fs";

/** Writes a small file in one step: whoever reads it sees the old text or the new, also after a power cut. Mode 0600. */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  const handle = fs.openSync(temporary, "wx", 0o600);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  try {
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
