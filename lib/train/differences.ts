/** One setting that is not the same in two: its path ("reward.window"); undefined: not there. */
export interface Difference {
  path: string;
  from: unknown;
  to: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings by path. Lists are one value, and so is an object without keys. */
export function leavesOf(value: unknown, path = ""): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  if (!isRecord(value) || (path !== "" && Object.keys(value).length === 0)) return leaves.set(path, value);
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    for (const [at, leaf] of leavesOf(item, path === "" ? key : `${path}.${key}`)) leaves.set(at, leaf);
  }
  return leaves;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What is not the same, in the order of `from`, then of `to`. */
export function differences(from: unknown, to: unknown): Difference[] {
  const [a, b] = [leavesOf(from), leavesOf(to)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((path) => !same(a.get(path), b.get(path)))
    .map((path) => ({ path, from: a.get(path), to: b.get(path) }));
}

/** The value at a path; undefined where there is none. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

/** A copy with another value at a path; undefined removes it. */
export function withValue<T>(value: T, path: string, next: unknown): T {
  const [key = "", ...rest] = path.split(".");
  const now: Record<string, unknown> = isRecord(value) ? value : {};
  const inner = rest.length === 0 ? next : withValue(now[key], rest.join("."), next);
  const { [key]: _, ...others } = now;
  if (inner === undefined) return others as T;
  // In its place, so that a list of settings keeps its order.
  return (key in now ? { ...now, [key]: inner } : { ...others, [key]: inner }) as T;
}
