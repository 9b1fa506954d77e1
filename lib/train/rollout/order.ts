import { Draw } from "@/lib/environment/suite/draw";

/**
 * The starts of a training in the order they are drawn: one shuffle of all of them after another, each from the seed. So
 * a start comes again only after all others, and what a step draws depends on nothing but where the step before it ended.
 */
export function startsFrom<T>(starts: readonly T[], seed: number, from: number, count: number): T[] {
  const n = starts.length;
  if (n === 0) throw new RangeError("a training has nothing to start from");
  const shuffles = new Map<number, T[]>();
  return Array.from({ length: count }, (_, i) => {
    const round = Math.floor((from + i) / n);
    let shuffle = shuffles.get(round);
    if (!shuffle) {
      shuffle = new Draw(`misstep training starts\0${seed}\0${round}`).shuffle(starts);
      shuffles.set(round, shuffle);
    }
    return shuffle[(from + i) % n] as T;
  });
}
