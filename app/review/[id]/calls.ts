import type { AnsweredView, NextView, SeatItem } from "@/app/review/types";
import type { EntryView } from "@/components/reader/types";
import type { OwnRow, Progress } from "@/lib/review/serve/progress";
import type { Revealed } from "@/lib/review/serve/reveal";
import type { Pending } from "./outbox";

/** The server said no, and why. `kind`: what sort of no, where it is one of review. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly kind: string | null,
    message: string,
  ) {
    super(message);
    this.name = "Refused";
  }
}

/** Nobody answered, or the server failed: worth another try. */
export class Unreachable extends Error {}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, cache: "no-store" });
  } catch {
    throw new Unreachable("The server does not answer.");
  }
  if (response.status >= 500) throw new Unreachable(`The server answered ${response.status}.`);
  const body = (await response.json().catch(() => null)) as (T & { error?: string; kind?: string }) | null;
  if (!response.ok || body === null)
    throw new Refused(response.status, body?.kind ?? null, body?.error ?? `The server answered ${response.status}.`);
  return body;
}

const post = <T>(path: string, body: unknown, keepalive = false) =>
  call<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    keepalive,
  });

const at = (queueId: number) => `/api/review/${queueId}`;

export const callNext = (queueId: number, inHand: number[]) => post<NextView>(`${at(queueId)}/next`, { inHand });

/** Arrives also when the page goes away meanwhile. */
export const callAnswer = (queueId: number, given: Pending, inHand: number[]) =>
  post<AnsweredView>(`${at(queueId)}/answer`, { ...given, inHand }, true);

export interface UndoneView {
  undone: { itemId: number; verdict: string; types: number[]; reason: string | null } | null;
  item: SeatItem | null;
  progress: Progress;
}
export const callUndo = (queueId: number) => post<UndoneView>(`${at(queueId)}/undo`, {});

export const callRenew = (queueId: number, inHand: number[]) =>
  post<{ until: number; lost: number[] }>(`${at(queueId)}/renew`, { inHand });

/** Also while the page goes away. */
export const callLetGo = (queueId: number, items: number[]) => post<unknown>(`${at(queueId)}/letgo`, { items }, true);

export const callItem = (queueId: number, itemId: number) =>
  call<{ item: SeatItem; revealed: Revealed }>(`${at(queueId)}/items/${itemId}`);

export const callHistory = (queueId: number) => call<{ rows: OwnRow[]; more: boolean }>(`${at(queueId)}/history`);

export const callEntries = (queueId: number, itemId: number, from: number, count: number) =>
  call<EntryView[]>(`${at(queueId)}/items/${itemId}/entries?from=${from}&count=${count}`);
