import "server-only";
import zlib from "node:zlib";
import type {
  Artifact,
  Instant,
  Json,
  JsonObject,
  Observation,
  ToolCall,
  Usage,
  Warning,
} from "@/lib/trajectory/types";

/**
 * Text of one entry as kept in a chunk. JSON escapes NUL and lone surrogates, so every string comes back unit for unit.
 * `source` is the residual of the file's own objects: see lib/trajectory/residual.ts.
 */
export interface StepBody {
  thinking: string | null;
  message: string | null;
  call: ToolCall | null;
  observations: Observation[];
  time: Instant | null;
  usage: Usage | null;
  source: Json[];
}

/** Long parts of a trajectory as kept in trajectory_detail. */
export interface TrajectoryDetail {
  key: string;
  agentVersion: string | null;
  dataset: string | null;
  rewards: Record<string, number>;
  exception: { type: string; message: string | null; traceback: string | null } | null;
  startedAt: Instant | null;
  finishedAt: Instant | null;
  usage: Usage;
  artifacts: Artifact[];
  warnings: Warning[];
  source: JsonObject;
}

/**
 * Deflates a JSON value. Level 1: outputs are written once, at import speed. One output buffer holds most chunks.
 * Synchronous on purpose: for pieces of this size the thread pool costs twice the work it takes over.
 */
export function pack(value: unknown): Buffer {
  return zlib.deflateRawSync(Buffer.from(JSON.stringify(value), "utf8"), { level: 1, chunkSize: 1 << 17 });
}

/** Inverse of `pack`. The caller names the type it packed. */
export function unpack<T>(data: Buffer): T {
  return JSON.parse(zlib.inflateRawSync(data).toString("utf8")) as T;
}
