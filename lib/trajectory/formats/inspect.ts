import { decodeText } from "@/lib/trajectory/decode";
import { ReadError } from "@/lib/trajectory/files/file-set";
import { parseJson } from "@/lib/trajectory/json";
import type { Json, JsonObject } from "@/lib/trajectory/types";
import { arrayAt, isObject, nameAt, objectAt } from "@/lib/trajectory/value";
import { readSample } from "./inspect-sample";
import { type DocumentFormat, type FolderFormat, given, type Parsed, refused } from "./module";

/** Inspect AI's JSON log: one trajectory a sample. */
export const inspectJson: DocumentFormat = {
  id: "inspect",
  detect: (value) =>
    isObject(value) &&
    objectAt(value, "eval") !== null &&
    typeof value.status === "string" &&
    ("plan" in value || "version" in value),
  *parse(value) {
    if (!isObject(value)) return;
    const samples = arrayAt(value, "samples");
    if (!samples || samples.length === 0) {
      yield refused(
        "",
        "the log holds no samples",
        "It was written with log_samples off, or holds the header only: export the samples.",
      );
      return;
    }
    for (const [at, sample] of samples.entries()) {
      if (isObject(sample)) yield* trajectoriesOf(sample, value, [JSON.stringify(sample)]);
      else yield refused(`/samples/${at}`, "the sample is no object");
    }
  },
};

/** Inspect AI's `.eval`: a zip with a header and one file a sample; a log that was cut has its journal only. */
export const inspectEval: FolderFormat = {
  id: "inspect",
  detect: (names) => names.includes("header.json") || names.includes("_journal/start.json"),
  async *parse(files) {
    const names = (await files.entries()).map((entry) => entry.name);
    const header = names.includes("header.json") ? "header.json" : "_journal/start.json";
    const log = await readJson(() => files.read(header));
    const head = log.ok && isObject(log.value) ? log.value : {};
    if (!log.ok)
      yield {
        kind: "refused",
        part: header,
        reason: log.reason,
        hint: "Task and model of the samples are not known without it.",
        position: log.position,
      };
    const samples = names.filter((name) => name.startsWith("samples/") && name.endsWith(".json"));
    if (samples.length === 0)
      yield refused(
        "",
        "the log holds no samples",
        "The run had not finished one, or was written with log_samples off.",
      );
    for (const name of samples) {
      const sample = await readJson(() => files.read(name));
      if (!sample.ok) {
        yield { kind: "refused", part: name, reason: sample.reason, hint: sample.hint, position: sample.position };
        continue;
      }
      if (!isObject(sample.value)) {
        yield refused(name, "the sample is no object");
        continue;
      }
      for (const part of trajectoriesOf(sample.value, head, [sample.bytes])) {
        if (part.kind === "trajectory")
          for (const message of sample.warnings) part.trajectory.warnings.push({ path: name, message });
        yield part;
      }
    }
  },
};

type Read =
  | { ok: true; value: Json; bytes: Buffer; warnings: string[] }
  | { ok: false; reason: string; hint: string | null; position: string | null };

async function readJson(read: () => Promise<Buffer>): Promise<Read> {
  try {
    const bytes = await read();
    const { text, warning } = decodeText(bytes);
    const parsed = parseJson(text);
    if (!parsed.ok) return { ok: false, reason: parsed.reason, hint: null, position: parsed.position };
    return { ok: true, value: parsed.value, bytes, warnings: [...(warning ? [warning] : []), ...parsed.warnings] };
  } catch (error) {
    if (error instanceof ReadError) return { ok: false, reason: error.message, hint: error.hint, position: null };
    throw error;
  }
}

/** The sample and its subtasks, hashed with what names the run, so that the same sample of two runs stays two. */
function* trajectoriesOf(sample: JsonObject, log: JsonObject, content: (string | Buffer)[]): Generator<Parsed> {
  const spec = objectAt(log, "eval");
  const run = JSON.stringify([
    nameAt(spec, "eval_id"),
    nameAt(spec, "run_id"),
    nameAt(spec, "task"),
    nameAt(spec, "model"),
    sample.id ?? null,
    sample.epoch ?? null,
  ]);
  for (const trajectory of readSample(sample, log))
    yield given(trajectory, [...content, run, trajectory.parentKey === null ? "" : trajectory.key]);
}
