"use client";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

const KEYS: [keys: string[], what: string][] = [
  [["j", "k"], "next, previous step"],
  [["n", "p"], "next, previous flagged step"],
  [["g", "G"], "first, last entry"],
  [["42", "g"], "step 42"],
  [["w"], "where steps were rejected: both, what ran, as proposed"],
  [["/", "Ctrl+F"], "find in the whole trajectory"],
  [["Enter", "Shift+Enter"], "next, previous match"],
  [["?"], "this list"],
  [["Esc"], "close what is open"],
];

export function HelpDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Keys of the reader">
        <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
          {KEYS.map(([keys, what]) => (
            <div key={what} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
