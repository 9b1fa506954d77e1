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

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
/** First byte of a value packed with brotli. No deflate stream begins with it: it would name the block type that deflate does not have. */
const BROTLI = 0x06;
/** First byte of a value that is not packed (JSON follows), in the same way: shipped studies are packed as a whole. */
const PLAIN = 0x07;

/**
 * Packs a JSON value: a mark, then brotli at its fastest with a window of 256 kB. On terminal logs that costs a third of
 * the time of deflate level 1 for the same size. Synchronous on purpose: for pieces of this size the thread pool costs
 * twice the work it takes over.
 */
export function pack(value: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(value), "utf8");
  const params = { [BROTLI_PARAM_QUALITY]: 0, [BROTLI_PARAM_LGWIN]: 18, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const packed = zlib.brotliCompressSync(bytes, { params, chunkSize: 1 << 16 });
  // Memory of its own: a thread can hand it over without copying.
  const data = Buffer.allocUnsafeSlow(packed.length + 1);
  data[0] = BROTLI;
  packed.copy(data, 1);
  return data;
}

function bytesOf(data: Buffer): Buffer {
  if (data[0] === PLAIN) return data.subarray(1);
  return data[0] === BROTLI ? zlib.brotliDecompressSync(data.subarray(1)) : zlib.inflateRawSync(data);
}

/** Inverse of `pack` and `plain`; also reads the bare deflate streams that earlier indices hold. The caller names the type it packed. */
export function unpack<T>(data: Buffer): T {
  return JSON.parse(bytesOf(data).toString("utf8")) as T;
}

/** The same value unpacked in its place: larger, but among others like it far smaller once all are packed together. */
export const plain = (data: Buffer): Buffer => Buffer.concat([Buffer.of(PLAIN), bytesOf(data)]);
