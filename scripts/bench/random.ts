/** A small seeded generator (mulberry32): benchmarks and generated data are the same on every machine. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Picks an element; earlier ones are more frequent (Zipf-like), as words and tasks are. */
export function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(values.length * random() ** 2)] as T;
}
