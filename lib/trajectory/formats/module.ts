import type { FileSet } from "@/lib/trajectory/files/file-set";
import type { FormatId, Json, JsonObject, Trajectory } from "@/lib/trajectory/types";
import type { Refusal, Skip } from "@/lib/trajectory/unit";

/** What a parser gives: a trajectory, or why a part of the document is none. Parts are named by JSON pointer or file. */
export type Parsed =
  /** `digest`: what identifies its content, when that is not the document it stands in. */
  | { kind: "trajectory"; trajectory: Trajectory; digest?: (string | Buffer)[] }
  | { kind: "refused"; part: string; reason: Refusal["reason"]; hint: Refusal["hint"]; position?: string | null }
  | { kind: "skipped"; part: string; reason: Skip["reason"] };

export interface DocumentContext {
  /** File name without folders, for names where the document has none. */
  file: string;
  /** Labels by people that a file beside it holds for a trajectory id; null when there are none. */
  labels?(id: string): Promise<JsonObject | null>;
}

/** A format whose trajectories stand in one JSON value (a file, or a line of one). */
export interface DocumentFormat {
  id: FormatId;
  /** By content only; must not throw on any JSON. */
  detect(value: Json): boolean;
  /** Gives trajectories one by one; must not throw on any JSON that `detect` accepted. */
  parse(value: Json, context: DocumentContext): Iterable<Parsed> | AsyncIterable<Parsed>;
}

/** A format whose trajectory is spread over several files of a folder or an archive. */
export interface FolderFormat {
  id: FormatId;
  detect(names: readonly string[]): boolean;
  parse(files: FileSet, context: { name: string }): AsyncIterable<Parsed>;
}

export function given(trajectory: Trajectory, digest?: (string | Buffer)[]): Parsed {
  return digest ? { kind: "trajectory", trajectory, digest } : { kind: "trajectory", trajectory };
}

export function refused(part: string, reason: string, hint: string | null = null): Parsed {
  return { kind: "refused", part, reason, hint };
}

export function skipped(part: string, reason: string): Parsed {
  return { kind: "skipped", part, reason };
}
