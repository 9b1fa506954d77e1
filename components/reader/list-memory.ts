const KEY = "misstep.list";

/** The page of the list a reader came from: its address and the ids in its order. */
export interface ListMemory {
  ids: number[];
  href: string;
}

/** Remembers the list of this tab, for "next" and "previous" while reading. */
export function rememberList(ids: number[], href: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ids, href } satisfies ListMemory));
}

/** The list this tab showed last; null when it showed none. */
export function recallList(): ListMemory | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as ListMemory);
}
