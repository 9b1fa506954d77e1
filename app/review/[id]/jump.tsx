"use client";
import { useEffect, useState } from "react";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import type { OwnRow } from "@/lib/review/serve/progress";
import { formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { verdictText } from "./keys";

/** Own answers to go to, newest first. */
export function Jump({
  open,
  onOpenChange,
  history,
  typeName,
  onPick,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  history: () => Promise<OwnRow[]>;
  typeName: (id: number) => string;
  onPick: (itemId: number) => void;
}) {
  const [rows, setRows] = useState<OwnRow[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!open) return;
    setFailed(false);
    let here = true;
    history().then(
      (all) => here && setRows(all),
      () => here && setFailed(true),
    );
    return () => {
      here = false;
    };
  }, [open, history]);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Your answers" description="Choose one to look at it again or to change it.">
        {failed ? <p className="text-sm text-bad">They cannot be loaded just now.</p> : null}
        {rows === null && !failed ? <p className="text-sm text-muted">Loading…</p> : null}
        {rows?.length === 0 ? <p className="text-sm text-muted">None yet in this queue.</p> : null}
        <ul className="flex flex-col gap-0.5">
          {rows?.map((row) => (
            <li key={row.answerId}>
              <button
                type="button"
                onClick={() => onPick(row.itemId)}
                className="flex w-full items-baseline gap-2 rounded px-2 py-1 text-left text-sm hover:bg-raised"
              >
                <span className="w-16 shrink-0 text-muted tabular-nums">item {row.position}</span>
                <span className="foreign min-w-0 flex-1 truncate">
                  {visible(verdictText(row.verdict, row.types.map(typeName)))}
                  {row.reason ? <span className="text-muted"> · {visible(row.reason)}</span> : null}
                </span>
                <span className="shrink-0 text-xs text-muted">{formatTime(row.createdAt)}</span>
              </button>
            </li>
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}
