import type { EntryView, FindResult } from "./types";

/** The server did not answer a call as asked. */
export class FetchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FetchError";
  }
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal });
  if (!response.ok) {
    const text = await response.text();
    throw new FetchError(`The server answered ${response.status}: ${text.slice(0, 300)}`);
  }
  return (await response.json()) as T;
}

const base = (id: number) => `/api/trajectories/${id}`;

/** Entries a window; the reader asks for whole windows only, so that answers can be kept. */
export const WINDOW = 40;

export const fetchWindow = (id: number, window: number, signal?: AbortSignal) =>
  get<EntryView[]>(`${base(id)}/steps?from=${window * WINDOW}&count=${WINDOW}`, signal);

/** One entry with its long texts unfolded. */
export async function fetchWhole(id: number, entry: number): Promise<EntryView> {
  const [view] = await get<EntryView[]>(`${base(id)}/steps?from=${entry}&count=1&whole=1`);
  if (!view) throw new FetchError(`Entry ${entry} is gone.`);
  return view;
}

export const fetchFind = (id: number, q: string, signal?: AbortSignal) =>
  get<FindResult>(`${base(id)}/find?q=${encodeURIComponent(q)}`, signal);

export const fetchRaw = (id: number, entry: number) => get<{ source: unknown[] }>(`${base(id)}/raw?entry=${entry}`);

export const keys = {
  window: (id: number, window: number, size: number) => ["trajectory", id, "window", window, size] as const,
  whole: (id: number, entry: number) => ["trajectory", id, "whole", entry] as const,
  find: (id: number, q: string) => ["trajectory", id, "find", q] as const,
  raw: (id: number, entry: number) => ["trajectory", id, "raw", entry] as const,
};
