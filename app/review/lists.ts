/** Lists that a queue's subjects may come from. */
export const LISTS = ["trajectories", "prefixes", "ids"] as const;
export type ListName = (typeof LISTS)[number];

/** Address of the form that makes a queue from a list. `question`: what is asked, unless it is chosen there. */
export function newQueueHref(list: ListName, query: string, more: Record<string, string> = {}): string {
  const params = new URLSearchParams({ new: list, ...more });
  if (query !== "") params.set("filter", query);
  return `/review?${params}`;
}
