import { ago, type Detection, type Detector } from "./detector";
import type { Evidence } from "./finding";
import type { History } from "./history";
import { type Hit, search, windows } from "./output";
import { writtenFiles } from "./programs";
import type { ShellCommand } from "./shell";
import type { StepView } from "./view";

const DISPLAYS = new Set(["cat", "head", "tail", "less", "more"]);
const BINARY_NAME =
  /\.(png|jpe?g|gif|bmp|ico|webp|tiff?|pdf|gz|gzip|tgz|zip|tar|bz2|xz|zst|7z|rar|jar|war|whl|so(\.\d+)*|o|a|dll|dylib|exe|elf|class|pyc|wasm|sqlite3?|db(-wal|-shm)?|bin|img|iso|wav|mp[34]|avi|mkv|mov|webm|flac|ogg|ttf|woff2?|npy|npz|pt|pth|pkl|parquet|onnx|safetensors|h5)$/i;
const OPTIONS_WITH_VALUE = new Set(["-n", "-c", "--lines", "--bytes"]);
/** Of an output of `file`: what is not text. */
const FILE_SAYS =
  /: +(?:ELF|PE32|Mach-O|PNG image|JPEG image|GIF image|gzip|Zip archive|bzip2|XZ|SQLite|PDF document|data\b|current ar archive|RIFF|POSIX tar)[^\n]*/;
/** NUL, U+FFFD and control characters other than white space, bell, backspace and escape. */
function isBroken(code: number): boolean {
  return code === 0xfffd || code === 0x7f || code < 7 || (code > 0x0d && code < 0x20 && code !== 0x1b);
}

/** The same as a pattern: tells at once that there is none. */
const BROKEN = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f\u007f\ufffd]/;

/** So many in the looked-at part, and so large a share of it, show bytes that are no text. */
const MIN_BROKEN = 4;
const MIN_SHARE = 0.01;
const HARNESS_SAYS = /UnicodeDecodeError|can't decode byte|invalid (?:utf-8|start byte)|Binary file/i;
/** Of one command only so many files are looked at. */
const MAX_FILES = 20;
const NO_FILE = /No such file|Permission denied|Is a directory|cannot open/;

/** The files that a display command prints, [] when its output goes elsewhere. */
function shown(command: ShellCommand): string[] {
  if (!DISPLAYS.has(command.program) || command.substitution || writtenFiles(command).length > 0) return [];
  if (command.redirects.some((r) => r.operator === ">" || r.operator === "&>" || r.operator === ">>")) return [];
  const files: string[] = [];
  for (let i = 0; i < command.args.length; i++) {
    const arg = command.args[i];
    if (!arg) break;
    if (OPTIONS_WITH_VALUE.has(arg.value)) i++;
    else if (!arg.value.startsWith("-")) files.push(arg.value);
  }
  for (const r of command.redirects) if (r.operator === "<") files.push(r.target);
  return files.slice(0, MAX_FILES);
}

/** Whether what it prints reaches the terminal: last in its pipe, or followed only by other display commands. */
function reachesTerminal(command: ShellCommand, all: ShellCommand[]): boolean {
  return all.every(
    (c) =>
      c.pipeline !== command.pipeline ||
      c.place <= command.place ||
      (DISPLAYS.has(c.program) && writtenFiles(c).length === 0),
  );
}

function brokenText(output: string): Hit | null {
  for (const w of windows(output)) {
    if (!BROKEN.test(w.text)) continue;
    let count = 0;
    let first = -1;
    let last = 0;
    for (let i = 0; i < w.text.length; i++) {
      if (!isBroken(w.text.charCodeAt(i))) continue;
      if (first < 0) first = i;
      last = i;
      count++;
    }
    if (count >= MIN_BROKEN && count / w.text.length >= MIN_SHARE)
      return { start: w.at + first, end: w.at + last + 1, text: "", groups: [] };
  }
  return null;
}

/** An earlier `file` that called it binary. */
function listedAsBinary(file: string, history: History): { view: StepView; hit: Hit } | null {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const { views } = history;
  for (let at = Math.max(0, views.length - 40); at < views.length; at++) {
    const view = views[at];
    if (!view) break;
    if (!view.commands.some((c) => c.program === "file") || view.output === null) continue;
    const hit = search(view.output, FILE_SAYS);
    if (hit && view.output.slice(Math.max(0, hit.start - name.length), hit.start) === name) return { view, hit };
  }
  return null;
}

/** Bytes of a binary file sent to the terminal. */
export const binaryAsText: Detector = {
  slug: "binary-as-text",
  detect(view, history): Detection | null {
    for (const command of view.commands) {
      if (!DISPLAYS.has(command.program) || !reachesTerminal(command, view.commands)) continue;
      for (const file of shown(command)) {
        const named = BINARY_NAME.test(file);
        const output = view.output;
        const bytes = output === null ? null : brokenText(output);
        if (output !== null && !bytes && (!named || search(output, NO_FILE, 2048, 2048))) continue;
        const broken = bytes ?? (output !== null && named ? search(output, HARNESS_SAYS, 4096, 4096) : null);
        const listed = listedAsBinary(file, history);
        // What came out is the better witness: clean text from a file named .bin was text.
        if (!broken && (output !== null || !(named || listed))) continue;
        const why = listed
          ? `\`file\` called it binary in ${ago(listed.view, history)}`
          : named
            ? "its name says it is binary"
            : "what came out is not text";
        const evidence: Evidence[] = [
          { step: view.index, part: "command", start: command.start, end: command.end, note: "prints the file" },
        ];
        if (listed)
          evidence.push({
            step: listed.view.index,
            part: "output",
            start: listed.hit.start,
            end: listed.hit.end,
            note: "what the file is",
          });
        if (broken)
          evidence.push({
            step: view.index,
            part: "output",
            start: broken.start,
            end: broken.end,
            note: "bytes that are no text",
          });
        return {
          reason: `${command.program} sends ${file.slice(0, 80)} to the terminal as text, and ${why}.`,
          evidence,
        };
      }
    }
    return null;
  },
};
