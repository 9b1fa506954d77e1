import { decodeText } from "@/lib/trajectory/decode";
import { type FileSet, ReadError } from "@/lib/trajectory/files/file-set";
import { parseJson } from "@/lib/trajectory/json";
import type { Json } from "@/lib/trajectory/types";
import type { Parsed } from "./module";

/** Reads events kept one a file, in order of the number in their name. A broken one is a problem, the rest is read. */
export async function readEventFiles(
  files: FileSet,
  pattern: RegExp,
): Promise<{ events: Json[]; problems: Parsed[]; digest: (string | Buffer)[] }> {
  const names = (await files.entries())
    .flatMap(({ name }) => {
      const found = pattern.exec(name);
      return found ? [{ name, number: Number(found[1]) }] : [];
    })
    .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  const events: Json[] = [];
  const problems: Parsed[] = [];
  const digest: (string | Buffer)[] = [];
  for (const { name } of names) {
    try {
      const bytes = await files.read(name);
      digest.push(`${name}\0${bytes.length}\0`, bytes);
      const parsed = parseJson(decodeText(bytes).text);
      if (parsed.ok) events.push(parsed.value);
      else
        problems.push({
          kind: "refused",
          part: name,
          reason: parsed.reason,
          hint: "This event is left out; the others were read.",
          position: parsed.position,
        });
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      problems.push({ kind: "refused", part: name, reason: error.message, hint: error.hint });
    }
  }
  return { events, problems, digest };
}
