import { createHash } from "node:crypto";
import QuickLRU from "quick-lru";

/** Results that are kept; each is a few numbers. */
const KEPT = 2000;

/**
 * The same function, which works nothing out twice: for pure functions of JSON values, whose resamples take longer than
 * reading what they are drawn from. Results are frozen, since everybody who asks gets the same one.
 */
export function remembering<A extends unknown[], R extends object>(work: (...args: A) => R): (...args: A) => R {
  const known = new QuickLRU<string, R>({ maxSize: KEPT });
  return (...args) => {
    const key = createHash("sha1").update(JSON.stringify(args)).digest("base64");
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = Object.freeze(work(...args));
    known.set(key, result);
    return result;
  };
}
