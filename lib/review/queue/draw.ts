import type { z } from "zod";
import { Draw } from "@/lib/environment/suite/draw";
import type { drawSchema } from "@/lib/review/types";

export type DrawSettings = z.infer<typeof drawSchema>;

/** Something a queue may ask about. */
export interface Candidate {
  subjectId: number;
  /** What it counts to when a draw is balanced: a type, a misbehavior and checkpoint, … */
  stratum: string;
  /** Localizers, judges or reruns say different things of it. */
  split: boolean;
  /** People have settled it already: asking again narrows nothing. */
  labelled?: boolean;
}

/** What is known of a stratum before the draw, for the expected narrowing of its interval. */
export interface Cell {
  /** People's labels there are. */
  labels: number;
  /** Variance of the stratum's estimate with so many labels; not rising in `labels`. */
  variance: (labels: number) => number;
}

export interface Drawn {
  subjectId: number;
  stratum: string;
  /** Drawn at random from everything the queue is about. */
  random: boolean;
}

/**
 * The chosen rest by strata of equal size as far as they go: rounds over the strata, the rarest first, each giving one of
 * its candidates in their order.
 */
function balanced(strata: Map<string, Candidate[]>, n: number): Candidate[] {
  const queues = [...strata.entries()].sort((a, b) => a[1].length - b[1].length || (a[0] < b[0] ? -1 : 1));
  const out: Candidate[] = [];
  for (let round = 0; out.length < n; round++) {
    const before = out.length;
    for (const [, list] of queues) {
      const next = list[round];
      if (next && out.length < n) out.push(next);
    }
    if (out.length === before) break;
  }
  return out;
}

/**
 * The chosen rest by expected narrowing: each next one from the stratum whose interval one more label narrows most, those
 * that sources differ on first within it. `taken`: labels that the reserve will bring to a stratum.
 */
function narrowing(
  strata: Map<string, Candidate[]>,
  n: number,
  cells: ReadonlyMap<string, Cell>,
  taken: ReadonlyMap<string, number>,
): Candidate[] {
  const heads = [...strata.entries()].map(([stratum, list]) => {
    const cell = cells.get(stratum);
    return {
      list: [...list.filter((c) => c.split), ...list.filter((c) => !c.split)],
      at: 0,
      labels: (cell?.labels ?? 0) + (taken.get(stratum) ?? 0),
      variance: cell?.variance ?? unknownVariance(list.length),
    };
  });
  const out: Candidate[] = [];
  while (out.length < n) {
    let best: { head: (typeof heads)[number]; gain: number } | null = null;
    for (const head of heads) {
      if (head.at >= head.list.length) continue;
      const gain = head.variance(head.labels) - head.variance(head.labels + 1);
      if (!best || gain > best.gain) best = { head, gain };
    }
    const next = best?.head.list[best.head.at];
    if (!best || !next) break;
    best.head.at++;
    best.head.labels++;
    out.push(next);
  }
  return out;
}

/** Variance of a share nobody knows anything of, with the correction for a finite stratum of `size`. */
export function unknownVariance(size: number, yes = 0, labelled = 0): (labels: number) => number {
  const p = (yes + 1) / (labelled + 2);
  return (labels) => ((p * (1 - p)) / (labels + 1)) * Math.max(0, 1 - labels / Math.max(1, size));
}

const byStratum = (list: readonly Candidate[]): Map<string, Candidate[]> => {
  const out = new Map<string, Candidate[]>();
  for (const c of list) {
    const of = out.get(c.stratum);
    if (of) of.push(c);
    else out.set(c.stratum, [c]);
  }
  return out;
};

/** Spreads `few` evenly among `many`, so that neither end of a queue is all of one kind. */
export function spread<T>(many: readonly T[], few: readonly T[]): T[] {
  const out: T[] = [];
  const total = many.length + few.length;
  let used = 0;
  for (let i = 0; i < total; i++) {
    const due = Math.floor(((i + 1) * few.length) / total);
    if (used < few.length && due > used) out.push(few[used++] as T);
    else out.push((many[i - used] ?? few[used++]) as T);
  }
  return out;
}

/**
 * Draws items: first the reserve, uniformly from all candidates, then the rest by the strategy from what is left. The same
 * candidates and settings give the same items in the same order, whatever order the candidates come in. Fewer than `n`
 * come out where the strategy finds no more (sources differ on fewer, the candidates are fewer). For `all` and `random`
 * every item is a random one.
 */
export function drawItems(
  candidates: readonly Candidate[],
  settings: Pick<DrawSettings, "strategy" | "n" | "seed" | "reserve">,
  cells: ReadonlyMap<string, Cell> = new Map(),
): Drawn[] {
  const { strategy, seed } = settings;
  const n = strategy === "all" ? candidates.length : Math.min(settings.n, candidates.length);
  const draw = new Draw(`misstep review\0${strategy}\0${seed}`);
  const shuffled = draw.shuffle([...candidates].sort((a, b) => a.subjectId - b.subjectId));
  const asDrawn = (random: boolean) => (c: Candidate) => ({ subjectId: c.subjectId, stratum: c.stratum, random });
  if (strategy === "all" || strategy === "random") return shuffled.slice(0, n).map(asDrawn(true));
  const reserve = shuffled.slice(0, Math.round(n * settings.reserve));
  const rest = shuffled.slice(reserve.length);
  const left = n - reserve.length;
  const taken = new Map([...byStratum(reserve)].map(([stratum, list]) => [stratum, list.length]));
  const chosen =
    strategy === "stratified"
      ? balanced(byStratum(rest), left)
      : strategy === "disagreement"
        ? rest.filter((c) => c.split).slice(0, left)
        : narrowing(byStratum(rest.filter((c) => !c.labelled)), left, cells, taken);
  return spread(chosen.map(asDrawn(false)), reserve.map(asDrawn(true)));
}
