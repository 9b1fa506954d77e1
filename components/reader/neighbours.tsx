"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { type ListMemory, recallList } from "./list-memory";

// What this tab showed last does not change while a trajectory is read; the text is the identity useSyncExternalStore needs.
const never = () => () => undefined;
let known: { text: string; list: ListMemory | null } = { text: "", list: null };
function recall(): ListMemory | null {
  const list = recallList();
  const text = JSON.stringify(list);
  if (text !== known.text) known = { text, list };
  return known.list;
}
const useList = (): ListMemory | null => useSyncExternalStore(never, recall, () => null);

/** Back to the list as it was left. */
export function BackToList({ children }: { children: React.ReactNode }) {
  const list = useList();
  return (
    <Button asChild size="icon-sm" variant="ghost">
      <Link href={list?.href ?? "/trajectories"} aria-label="Back to the list" title="Back to the list">
        {children}
      </Link>
    </Button>
  );
}

/** Links to the previous and next trajectory: of the list this tab came from, else by time of import. */
export function Neighbours({ id, fallback }: { id: number; fallback: { newer: number | null; older: number | null } }) {
  const list = useList();
  const at = list?.ids.indexOf(id) ?? -1;
  const previous = at >= 0 ? (list?.ids[at - 1] ?? null) : fallback.newer;
  const next = at >= 0 ? (list?.ids[at + 1] ?? null) : fallback.older;
  const place = at >= 0 ? `of this page of the list (${at + 1} of ${list?.ids.length})` : "by time of import";
  return (
    <nav aria-label="Neighbouring trajectories" className="flex shrink-0">
      <Step to={previous} label={`Previous trajectory ${place}`} icon={<ChevronLeft aria-hidden />} />
      <Step to={next} label={`Next trajectory ${place}`} icon={<ChevronRight aria-hidden />} />
    </nav>
  );
}

function Step({ to, label, icon }: { to: number | null; label: string; icon: React.ReactNode }) {
  if (to === null)
    return (
      <Button size="icon-sm" variant="ghost" disabled aria-label={label}>
        {icon}
      </Button>
    );
  return (
    <Button asChild size="icon-sm" variant="ghost">
      <Link href={`/trajectories/${to}`} prefetch={false} aria-label={label} title={label}>
        {icon}
      </Link>
    </Button>
  );
}
