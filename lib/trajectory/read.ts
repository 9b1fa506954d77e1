import { statSync } from "node:fs";
import path from "node:path";
import { parse as parseYaml } from "yaml";
import { decodeText } from "./decode";
import { archiveKind, openArchive } from "./files/archive";
import { DiskFiles, headOf, ioReason, readWhole } from "./files/disk";
import { below, type FileSet, ReadError } from "./files/file-set";
import { ZipFiles } from "./files/zip";
import { FOLDER_FORMATS } from "./formats/folders";
import { parseJson } from "./json";
import { labelFinder } from "./labels";
import { type Emit, emitter, readValue } from "./read-document";
import { readLines, startsAsLines } from "./read-lines";
import type { ImportUnit, ReadResult } from "./unit";

/** Documents up to this size are read at once; larger files are looked at line by line first. */
const WHOLE_BYTES = 16 * 1024 * 1024;

/**
 * Reads one unit, whatever format its content shows, and gives its trajectories one at a time. Nothing is thrown for
 * bad input: what cannot be read is a refusal with position and reason, and the rest of the unit still comes.
 */
export async function* readUnit(unit: ImportUnit, root: string): AsyncGenerator<ReadResult> {
  const emit = emitter(unit);
  try {
    yield* readAny(unit, root, emit);
  } catch (error) {
    if (error instanceof ReadError) yield emit.refuse("", error.message, error.hint, error.position);
    else if (error instanceof Error && "code" in error) yield emit.refuse("", ioReason(error), null, null);
    else
      yield emit.refuse(
        "",
        `reading failed: ${error instanceof Error ? error.message : String(error)}`,
        "This is a defect in the reader: please report it with the file.",
        null,
      );
  }
}

async function* readAny(unit: ImportUnit, root: string, emit: Emit): AsyncGenerator<ReadResult> {
  if (unit.member !== null) {
    const files = openArchive(unit.path);
    if (unit.member === "" || unit.member.endsWith("/")) yield* readFolder(below(files, unit.member), unit, emit);
    else
      yield* readFile(
        one(files, unit.member, unit.bytes),
        unit.member,
        labelFinder(files, unit.member, unit.path),
        emit,
      );
    return;
  }
  const stat = statSync(unit.path);
  if (stat.isDirectory()) {
    yield* readFolder(new DiskFiles(unit.path), unit, emit);
    return;
  }
  if (stat.size === 0) throw new ReadError("the file is empty", "If it was being written or copied, fetch it again.");
  const head = headOf(unit.path, 4096);
  if (archiveKind(head, path.basename(unit.path)) === "zip") {
    const files = new ZipFiles(unit.path);
    for (const { name, reason, hint } of await files.problems()) yield emit.refuse(name, reason, hint, null);
    yield* readFolder(files, unit, emit);
    return;
  }
  const file = {
    bytes: stat.size,
    head: async () => head,
    read: async () => readWhole(unit.path),
    stream: () => new DiskFiles(path.dirname(unit.path)).stream(path.basename(unit.path)),
  };
  yield* readFile(file, unit.path, labelFinder(null, unit.path, root), emit);
}

interface OneFile {
  bytes: number;
  head(): Promise<Buffer>;
  read(): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
}

function one(files: FileSet, member: string, bytes: number): OneFile {
  return {
    bytes: bytes > 0 ? bytes : Number.POSITIVE_INFINITY,
    head: () => files.head(member, 4096),
    read: () => files.read(member),
    stream: () => files.stream(member),
  };
}

async function* readFolder(files: FileSet, unit: ImportUnit, emit: Emit): AsyncGenerator<ReadResult> {
  const names = (await files.entries()).map((entry) => entry.name);
  const format = FOLDER_FORMATS.find((candidate) => candidate.detect(names));
  if (!format) {
    yield emit.skip("", "no trajectory format known here uses these files together");
    return;
  }
  const name = path.posix.basename((unit.member ?? unit.path).replace(/\/$/, "")) || path.basename(unit.path);
  for await (const part of format.parse(files, { name })) yield emit.part(part, null);
}

async function* readFile(
  file: OneFile,
  name: string,
  labels: ReturnType<typeof labelFinder>,
  emit: Emit,
): AsyncGenerator<ReadResult> {
  const base = path.basename(name);
  const large = file.bytes > WHOLE_BYTES;
  if (large ? await startsAsLines(file.stream()) : false) {
    yield* readLines(file.stream(), { file: base, labels }, emit);
    return;
  }
  const bytes = await file.read();
  if (!large && (await startsAsLines(once(bytes)))) {
    yield* readLines(once(bytes), { file: base, labels }, emit);
    return;
  }
  const { text, warning } = decodeText(bytes);
  if (/\.ya?ml$/i.test(base)) {
    yield* readValue(yamlValue(text), bytes, { file: base, labels }, [], emit);
    return;
  }
  const parsed = parseJson(text);
  if (!parsed.ok) {
    yield emit.refuse("", parsed.reason, hintOf(text, parsed.truncated), parsed.position);
    return;
  }
  // A file of one line has the hash of that line, so that it is known again once more lines follow.
  const line = bytes[bytes.length - 1] === 10 ? bytes.subarray(0, -1) : bytes;
  yield* readValue(
    parsed.value,
    line,
    { file: base, labels },
    [...(warning ? [warning] : []), ...parsed.warnings],
    emit,
  );
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function hintOf(text: string, truncated: boolean): string | null {
  if (text.startsWith("version https://git-lfs")) return "This is a Git LFS pointer, not the file: run git lfs pull.";
  return truncated ? "The file stops early: it was being written, or the copy was cut. Fetch it again." : null;
}

function yamlValue(text: string) {
  try {
    return parseYaml(text, { maxAliasCount: 50 });
  } catch (error) {
    throw new ReadError(
      `not valid YAML: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`,
    );
  }
}
