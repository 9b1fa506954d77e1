import { createHash } from "node:crypto";

/**
 * Draws from a family and a seed: the same values everywhere, byte for byte. Each draw is a hash of its place, so no
 * generator of numbers has to be the same on all machines.
 */
export class Draw {
  private count = 0;
  /** Every wording that the task's sentence could have had, with the drawn names and values. */
  wordings: readonly string[] = [];

  constructor(private readonly key: string) {}

  private next(): number {
    return createHash("sha256")
      .update(`${this.key}\0${this.count++}`)
      .digest()
      .readUInt32BE(0);
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + (this.next() % (high - low + 1));
  }

  /** True with probability `share`. */
  chance(share: number): boolean {
    return this.next() / 2 ** 32 < share;
  }

  pick<T>(list: readonly T[]): T {
    const value = list[this.next() % list.length];
    if (value === undefined) throw new Error("nothing to draw from");
    return value;
  }

  /** `n` different values. */
  some<T>(list: readonly T[], n: number): T[] {
    return this.shuffle(list).slice(0, n);
  }

  shuffle<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }
}

/** A stream of uniform numbers in [0, 1) that depends on the key alone. */
export function randomOf(key: string): () => number {
  let count = 0;
  return () => createHash("sha256").update(`${key}\0${count++}`).digest().readUInt32BE(0) / 2 ** 32;
}
