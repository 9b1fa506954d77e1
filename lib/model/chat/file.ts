import "server-only";
import { randomBytes } from "node:crypto";
import fs from "node:fs";

/** Where a link leads: what is written goes there, so that the link stays and no old text is left behind it. */
function behind(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

/** Writes a small file in one step: whoever reads it sees the old text or the new, also after a power cut. Mode 0600. */
export function writeWhole(given: string, text: string): void {
  const file = behind(given);
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
