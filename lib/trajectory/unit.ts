import type { Trajectory } from "./types";

/**
 * What import works on: the smallest thing that is read at once. A file, one member of an archive, or a folder whose
 * files belong together (a Harbor trial, an OpenHands V1 conversation).
 */
export interface ImportUnit {
  /** Stable identity inside the import: path relative to the root, with `!/` before an archive member. */
  key: string;
  /** Absolute path of the file or folder on disk. */
  path: string;
  /** Member inside an archive, else null. */
  member: string | null;
  /** Bytes to read, as far as known. */
  bytes: number;
}

/** A thing that looks like a trajectory and cannot be read. */
export interface Refusal {
  /** Unit key, with `#L12` (line) or `#/pointer` (position) when known. */
  key: string;
  path: string;
  /** Line and column, byte offset or JSON pointer; null when it concerns the whole file. */
  position: string | null;
  reason: string;
  /** What to do about it, when there is something. */
  hint: string | null;
}

/** A file that is no trajectory at all (readme, task file, companion): listed, never an error. */
export interface Skip {
  key: string;
  path: string;
  reason: string;
}

export type Discovered =
  | { kind: "unit"; unit: ImportUnit }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "skipped"; skip: Skip };

export type ReadResult =
  /** `hash`: hex SHA-256 over the bytes this trajectory was made from, companions included. */
  | { kind: "trajectory"; trajectory: Trajectory; hash: string }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "skipped"; skip: Skip };
