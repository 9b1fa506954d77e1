import type { Json } from "./types";

/** JSON text as Python's json.dumps writes it by default: a space after "," and ":", and (`ascii`) no character beyond ASCII. */
export function pythonJson(value: Json, ascii: boolean): string {
  if (typeof value === "string") return text(value, ascii);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item, ascii)).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${text(key, ascii)}: ${pythonJson(item, ascii)}`)
    .join(", ")}}`;
}

function text(value: string, ascii: boolean): string {
  const quoted = JSON.stringify(value);
  if (!ascii) return quoted;
  return quoted.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
