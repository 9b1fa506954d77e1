import "server-only";

/*
 * A trained checkpoint differs from its base by little, so what is shipped is the difference: of every float32 the distance
 * in steps of the number line between the two, lowest byte of all first, then the next. Exact: every bit comes back.
 */

const LENGTH_BYTES = 8;
const FLOAT_BYTES = 4;

/** Where the numbers of a safetensors file begin. */
const numbersAt = (file: Buffer): number => LENGTH_BYTES + Number(file.readBigUInt64LE(0));

/** Bits of a float32 as a whole number in the order of the floats, -0 just below 0; its own inverse. */
const ordered = (bits: number): number => (bits < 0 ? bits ^ 0x7fffffff : bits);

/** Header of `file`, then four planes of bytes; null when the base has other shapes. Both are whole safetensors files. */
export function differenceOf(base: Buffer, file: Buffer): Buffer | null {
  const [from, to] = [numbersAt(base), numbersAt(file)];
  if (base.length - from !== file.length - to || (file.length - to) % FLOAT_BYTES !== 0) return null;
  const count = (file.length - to) / FLOAT_BYTES;
  const out = Buffer.alloc(file.length);
  file.copy(out, 0, 0, to);
  for (let i = 0; i < count; i++) {
    const d = (ordered(file.readInt32LE(to + i * FLOAT_BYTES)) - ordered(base.readInt32LE(from + i * FLOAT_BYTES))) | 0;
    // Small distances in either direction become small numbers.
    const z = (d << 1) ^ (d >> 31);
    for (let k = 0; k < FLOAT_BYTES; k++) out[to + k * count + i] = (z >>> (8 * k)) & 0xff;
  }
  return out;
}

/** Inverse of differenceOf with the same base. Whether it was the same one is told by the hash of the card. */
export function applyDifference(base: Buffer, difference: Buffer): Buffer {
  const [from, to] = [numbersAt(base), numbersAt(difference)];
  const count = (difference.length - to) / FLOAT_BYTES;
  if (base.length - from !== difference.length - to)
    throw new Error(`the base has ${base.length - from} bytes of numbers, the difference ${difference.length - to}`);
  const out = Buffer.alloc(difference.length);
  difference.copy(out, 0, 0, to);
  for (let i = 0; i < count; i++) {
    let z = 0;
    for (let k = 0; k < FLOAT_BYTES; k++) z |= (difference[to + k * count + i] ?? 0) << (8 * k);
    const d = (z >>> 1) ^ -(z & 1);
    const value = (ordered(base.readInt32LE(from + i * FLOAT_BYTES)) + d) | 0;
    out.writeInt32LE(ordered(value), to + i * FLOAT_BYTES);
  }
  return out;
}
