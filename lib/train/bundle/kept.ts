import "server-only";
import fs from "node:fs";
import path from "node:path";
import { home } from "@/db/home";
import { packBundle } from "./files";
import type { Bundle } from "./make";

const folder = (): string => path.join(/*turbopackIgnore: true*/ home().root, "bundles");
const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]{0,120}$/;

/** The archive of a bundle that was kept, by the bundle's name; null when there is none. */
export function keptBundle(name: string): string | null {
  const file = path.join(folder(), `${name}.tar.gz`);
  return NAME.test(name) && fs.existsSync(file) ? file : null;
}

/** Keeps a bundle as MISSTEP_HOME/bundles/<name>.tar.gz; the same bundle is the same file. Returns its path. */
export async function keepBundle({ name, files }: Pick<Bundle, "name" | "files">): Promise<string> {
  const target = path.join(folder(), `${name}.tar.gz`);
  if (fs.existsSync(target)) return target;
  const packed = await packBundle(name, files);
  fs.mkdirSync(folder(), { recursive: true });
  const part = `${target}.${process.pid}.part`;
  fs.writeFileSync(part, packed);
  fs.renameSync(part, target);
  return target;
}
