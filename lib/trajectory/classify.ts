import { archiveKind, foreignArchive } from "./files/archive";

export type FileClass =
  | { kind: "unit" }
  | { kind: "archive" }
  | { kind: "skip"; reason: string }
  | { kind: "refuse"; reason: string; hint: string };

/** Names that never hold a trajectory, looked at before anything is opened. */
const CODE =
  /\.(md|rst|py|ts|tsx|js|jsx|sh|c|h|cpp|rs|go|java|toml|lock|cfg|ini|html?|css|svg|png|jpe?g|gif|pdf|webp|ico|wasm|so|pyc|patch|diff|sql|csv|tsv|parquet|sqlite|db|def|ipynb|xml)$/i;
const NAMES =
  /^(Dockerfile|Makefile|LICENSE|NOTICE|README|\.gitignore|\.DS_Store|package(-lock)?\.json|tsconfig\.json|docker-compose\.ya?ml)$/i;
const JSON_NAME = /\.(jsonl?|ndjson|traj|eval|trajectory)$/i;
const ARCHIVE_NAME = /\.(zip|tar|tgz|tar\.gz|eval)$/i;
/** First entries of an Inspect log, which is a zip but one unit. */
const EVAL_ENTRY = /^(_journal\/|header\.json|samples\/|summaries\.json|reductions\.json)/;

/** What a file is, from its name and at most its first 4 KiB. */
export async function classify(
  name: string,
  bytes: number,
  head: (length: number) => Promise<Buffer>,
): Promise<FileClass> {
  if (NAMES.test(name)) return { kind: "skip", reason: "no trajectory by its name" };
  const json = JSON_NAME.test(name);
  if (!json && CODE.test(name))
    return { kind: "skip", reason: `no trajectory: ${name.slice(name.lastIndexOf("."))} file` };
  if (bytes === 0)
    return json || ARCHIVE_NAME.test(name)
      ? { kind: "refuse", reason: "the file is empty", hint: "If it was being written or copied, fetch it again." }
      : { kind: "skip", reason: "empty file" };
  const start = await head(4096);
  const archive = archiveKind(start, "");
  if (archive === "zip" && isEval(start)) return { kind: "unit" };
  if (archive || ARCHIVE_NAME.test(name)) return { kind: /\.eval$/i.test(name) ? "unit" : "archive" };
  const foreign = foreignArchive(start);
  if (foreign)
    return {
      kind: "refuse",
      reason: `${foreign} archives are not opened`,
      hint: "Unpack it and import the folder, or pack it as .zip or .tar.gz.",
    };
  const text = start
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  if (/\.ya?ml$/i.test(name)) {
    return /(^|\n)history:\s*\n/.test(text)
      ? { kind: "unit" }
      : { kind: "skip", reason: "no trajectory: YAML without a history" };
  }
  if (/\.cast$/i.test(name)) return { kind: "skip", reason: "terminal recording: it has no steps" };
  if (json) return { kind: "unit" };
  if (/^[{[]\s*("|\{|\[)/.test(text)) return { kind: "unit" };
  return { kind: "skip", reason: "no trajectory: not JSON" };
}

function isEval(head: Buffer): boolean {
  if (head.length < 46 || head.readUInt32LE(0) !== 0x04034b50) return false;
  return EVAL_ENTRY.test(head.toString("utf8", 30, 30 + head.readUInt16LE(26)));
}
