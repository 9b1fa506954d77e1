import { MARK_BITS } from "./marks";

/**
 * Which steps are read where a localizer stopped some of them: what ran (corrections in place of rejected steps), what the
 * policy proposed (rejected steps, no corrections), or both.
 */
export const WALKS = ["both", "accepted", "proposed"] as const;
export type Walk = (typeof WALKS)[number];

export const WALK_LABELS: Record<Walk, string> = { both: "Both", accepted: "What ran", proposed: "As proposed" };

export const walkOf = (text: string | null): Walk => WALKS.find((walk) => walk === text) ?? "both";
export const nextWalk = (walk: Walk): Walk => WALKS[(WALKS.indexOf(walk) + 1) % WALKS.length] ?? "both";

/** An entry that this way of walking passes over. */
export const isHidden = (mark: number, walk: Walk): boolean =>
  (walk === "accepted" && (mark & MARK_BITS.rejected) !== 0) ||
  (walk === "proposed" && (mark & MARK_BITS.correction) !== 0);

/** An entry that the keys for the next and the previous step stop at. */
export const isStop = (mark: number, walk: Walk): boolean =>
  (mark & (MARK_BITS.numbered | MARK_BITS.correction)) !== 0 && !isHidden(mark, walk);
