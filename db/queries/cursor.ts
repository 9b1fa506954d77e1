import "server-only";
import { z } from "zod";

/** A place in a sorted list: sort value and id of a row. The value is null where the file does not state it. */
export interface Cursor {
  value: string | number | null;
  id: number;
}

const schema = z.tuple([z.union([z.string(), z.number(), z.null()]), z.number().int()]);

/** Text of a cursor for a URL. */
export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.value, cursor.id]), "utf8").toString("base64url");

/** Inverse of `encodeCursor`; null when the text is no cursor, which callers treat as the start of the list. */
export function decodeCursor(text: string | null): Cursor | null {
  if (!text) return null;
  const json = Buffer.from(text, "base64url").toString("utf8");
  const parsed = z
    .string()
    .transform((s, ctx) => {
      try {
        return JSON.parse(s) as unknown;
      } catch {
        ctx.addIssue({ code: "custom", message: "no JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema)
    .safeParse(json);
  return parsed.success ? { value: parsed.data[0], id: parsed.data[1] } : null;
}
