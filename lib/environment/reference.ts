import "server-only";
import fs from "node:fs";
import path from "node:path";
import { listFiles } from "./files";
import { filesFolder } from "./home";
import type { EnvironmentSpec } from "./types";

/** Bytes of a file that are given; what is longer is cut and says so. */
const MOST = 64 * 1024;

function textOf(file: string): string {
  const content = fs.readFileSync(file);
  if (content.subarray(0, MOST).includes(0)) return `(${content.byteLength} bytes that are not text)`;
  const text = content.subarray(0, MOST).toString("utf8");
  return content.byteLength > MOST ? `${text}\n(${content.byteLength - MOST} more bytes)` : text;
}

/** A script with whatever lies in the folder that goes with it, each file under its name; null without the script. */
function whole(spec: EnvironmentSpec, script: string | null, folder: string): string | null {
  const root = filesFolder(spec.digest);
  if (script === null || !fs.existsSync(path.join(root, script))) return null;
  const beside = fs.existsSync(path.join(root, folder))
    ? listFiles(path.join(root, folder)).flatMap((f) => (f.kind === "file" ? [`${folder}/${f.path}`] : []))
    : [];
  const files = [script, ...beside.filter((file) => file !== script)];
  if (files.length === 1) return textOf(path.join(root, script));
  return files.map((file) => `== ${file} ==\n${textOf(path.join(root, file))}`).join("\n");
}

/** Reference solution and hidden tests of an environment as texts, for those who may see them; null where it has none. */
export const referenceOf = (spec: EnvironmentSpec): { solution: string | null; tests: string | null } => ({
  solution: whole(spec, spec.solution, "solution"),
  tests: whole(spec, spec.tests, "tests"),
});
