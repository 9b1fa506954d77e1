import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { sizeOf } from "@/lib/model/onnx/shape";
import type { Weight } from "./types";

/** Tensors and the strings beside them. */
export interface WeightsFile {
  weights: Weight[];
  /** `__metadata__` of the header; {} when there is none. */
  metadata: Record<string, string>;
}

/** A safetensors file that cannot be used; names it and what is wrong with it. */
export class WeightsFileError extends Error {
  constructor(
    readonly file: string,
    readonly fault: string,
    cause?: unknown,
  ) {
    super(`${file}: ${fault}`, { cause });
    this.name = "WeightsFileError";
  }
}

const LENGTH_BYTES = 8;
const FLOAT_BYTES = 4;

/** Reads float32 tensors of a safetensors file, in the order of its header. Throws WeightsFileError. */
export async function readWeights(file: string): Promise<WeightsFile> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(fs.readFileSync(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new WeightsFileError(file, code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`, error);
  }
  const { safetensors } = await import("@jax-js/loaders");
  try {
    const { tensors, metadata } = safetensors.parse(bytes);
    const weights = Object.entries(tensors).map(([name, { dtype, shape, data }]): Weight => {
      if (!(data instanceof Float32Array)) throw new Error(`tensor "${name}" is ${dtype}, not F32`);
      if (sizeOf(shape) !== data.length)
        throw new Error(`tensor "${name}" has ${data.length} numbers for a shape of [${shape.join(", ")}]`);
      return { name, shape: [...shape], data };
    });
    checkCovered(bytes, weights);
    return { weights, metadata: checkedMetadata(metadata) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new WeightsFileError(file, `is no safetensors file of float32 tensors: ${fault}`, error);
  }
}

/** The format allows no holes and no overlaps: bytes that no tensor names are a sign of a broken file. */
function checkCovered(bytes: Uint8Array, weights: readonly Weight[]): void {
  const header = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  let end = LENGTH_BYTES + header;
  for (const { name, data } of weights.toSorted((a, b) => a.data.byteOffset - b.data.byteOffset)) {
    if (data.byteOffset !== end) throw new Error(`tensor "${name}" begins at byte ${data.byteOffset}, not ${end}`);
    end += data.byteLength;
  }
  if (end !== bytes.length) throw new Error(`${bytes.length - end} bytes after the last tensor`);
}

function checkedMetadata(metadata: unknown): Record<string, string> {
  if (metadata === undefined) return {};
  const entries = Object.entries(metadata as Record<string, unknown>);
  for (const [key, value] of entries) {
    if (typeof value !== "string") throw new Error(`metadata "${key}" is no string`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The bytes of a safetensors file. Names must differ, and numbers must be as many as the shape says. */
export function encodeWeights(weights: readonly Weight[], metadata: Record<string, string> = {}): Uint8Array {
  let offset = 0;
  const entries = weights.map(({ name, shape, data }): [string, object] => {
    if (sizeOf(shape) !== data.length) throw new RangeError(`"${name}" has ${data.length} numbers for [${shape}]`);
    const begin = offset;
    offset += data.length * FLOAT_BYTES;
    return [name, { dtype: "F32", shape, data_offsets: [begin, offset] }];
  });
  if (new Set(weights.map((weight) => weight.name)).size !== weights.length)
    throw new RangeError("two weights have the same name");
  const json = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) });
  // Spaces after the header put the numbers on a multiple of eight, as the format asks.
  const length = Math.ceil(Buffer.byteLength(json) / LENGTH_BYTES) * LENGTH_BYTES;
  const bytes = new Uint8Array(LENGTH_BYTES + length + offset);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.fill(0x20, LENGTH_BYTES, LENGTH_BYTES + length);
  bytes.set(Buffer.from(json), LENGTH_BYTES);
  let at = LENGTH_BYTES + length;
  for (const { data } of weights) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/** Writes a safetensors file whole or not at all: whoever dies while writing leaves the file of before. */
export function writeWeights(file: string, weights: readonly Weight[], metadata: Record<string, string> = {}): void {
  const bytes = encodeWeights(weights, metadata);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.${crypto.randomBytes(6).toString("hex")}.partial`;
  try {
    const handle = fs.openSync(partial, "wx");
    try {
      fs.writeFileSync(handle, bytes);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(partial, file);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}
