import { parseDocument } from "yaml";
import { z } from "zod";
import { refuse } from "./refused";

/** A command to record, with the thinking that is to stand beside it. */
export interface RecordedCommand {
  command: string;
  thinking: string | null;
}

const entry = z.union([
  z.string().min(1),
  z.strictObject({ command: z.string().min(1), thinking: z.string().nullish() }),
]);

const asCommand = (value: z.infer<typeof entry>): RecordedCommand =>
  typeof value === "string"
    ? { command: value, thinking: null }
    : { command: value.command, thinking: value.thinking ?? null };

function parsed(value: unknown, file: string, position: string): RecordedCommand {
  const result = entry.safeParse(value);
  if (result.success) return asCommand(result.data);
  return refuse(file, position, 'an entry is a text, or an object with "command" and, if you like, "thinking"');
}

/** One command a line. Empty lines and lines that begin with # are left out; with `thinking`, such lines are the thinking of the command below. */
function fromText(text: string, thinking: boolean): RecordedCommand[] {
  const found: RecordedCommand[] = [];
  let thought: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) thought.push(line.replace(/^#+ ?/, ""));
    else if (line.trim() !== "") {
      found.push({ command: line, thinking: thinking && thought.length > 0 ? thought.join("\n") : null });
      thought = [];
    }
  }
  return found;
}

/**
 * Commands of a file, by the ending of its name: .jsonl (an entry a line), .json, .yaml and .yml (a list of entries),
 * anything else one command a line. Throws EnvironmentRefused with the position of what is wrong.
 */
export function parseCommands(text: string, file: string, options: { thinking?: boolean } = {}): RecordedCommand[] {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase();
  let found: RecordedCommand[];
  if (ending === "jsonl") {
    found = text.split(/\r?\n/).flatMap((line, at) => {
      if (line.trim() === "") return [];
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch (error) {
        return refuse(file, `line ${at + 1}`, error instanceof Error ? error.message : "it is no JSON");
      }
      return [parsed(value, file, `line ${at + 1}`)];
    });
  } else if (ending === "yaml" || ending === "yml" || ending === "json") {
    const document = parseDocument(text);
    const error = document.errors[0];
    const at = error?.linePos?.[0];
    if (error)
      refuse(file, at ? `line ${at.line}, column ${at.col}` : null, error.message.split("\n")[0] ?? "it is no YAML");
    const list: unknown = document.toJS({ maxAliasCount: 100 });
    if (!Array.isArray(list)) return refuse(file, null, "it holds no list of commands");
    found = list.map((value, i) => parsed(value, file, `entry ${i + 1}`));
  } else found = fromText(text, options.thinking ?? false);
  if (found.length === 0) refuse(file, null, "it holds no command");
  return found;
}
