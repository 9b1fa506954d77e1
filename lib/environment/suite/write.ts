import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Generated } from "./generate";

/** Writes the task directory of a generated environment into `folder`/NAME; whole or not at all. False when it is there already. */
export function writeGenerated(folder: string, generated: Generated): boolean {
  const target = path.join(folder, generated.name);
  if (fs.existsSync(target)) return false;
  fs.mkdirSync(folder, { recursive: true });
  const building = fs.mkdtempSync(path.join(folder, ".building-"));
  try {
    for (const { path: name, content, executable } of generated.files) {
      const file = path.join(building, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content, { mode: executable ? 0o755 : 0o644 });
    }
    fs.chmodSync(building, 0o755);
    fs.renameSync(building, target);
  } finally {
    fs.rmSync(building, { recursive: true, force: true });
  }
  return true;
}
