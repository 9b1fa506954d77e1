"use client";
import { Ban, GraduationCap } from "lucide-react";
import { formatCount } from "@/lib/text/format";

/** The line that stands for an entry which the chosen way of walking passes over. */
export function HiddenEntry({
  number,
  rejected,
  onShow,
}: {
  number: number | null;
  /** A rejected step; else a correction. */
  rejected: boolean;
  onShow: () => void;
}) {
  const Icon = rejected ? Ban : GraduationCap;
  return (
    <p className="flex h-[25px] items-center gap-2 border-t px-3 text-xs text-muted">
      <Icon className="size-3.5" aria-hidden />
      {rejected
        ? `Step ${number === null ? "" : formatCount(number)} was rejected and did not run`
        : "A teacher’s correction ran here"}
      <button type="button" className="rounded px-1 text-accent hover:underline" onClick={onShow}>
        show
      </button>
    </p>
  );
}

/** An entry that is not loaded yet, as high as it is thought to be. */
export function Placeholder({ number, height }: { number: number | null; height: number }) {
  return (
    <div className="border-t px-3 pt-2 text-sm text-muted" style={{ height }}>
      {number === null ? "…" : number}
    </div>
  );
}
