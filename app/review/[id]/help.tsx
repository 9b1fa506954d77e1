"use client";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { visible } from "@/lib/text/glyphs";
import type { Choice } from "./keys";

const COMMAND_KEYS: [keys: string[], what: string][] = [
  [["Enter"], "give the types that are switched on, or again what you took back"],
  [["u"], "take back the last answer"],
  [["b", "←"], "back over your answers"],
  [["f", "→"], "forward again"],
  [["g"], "jump to one of your answers"],
  [["n"], "write a reason; Enter or Esc leaves it"],
  [["x"], "context: the trajectory around the item"],
  [["?"], "this list"],
  [["Esc"], "close what is open; back to the item to answer"],
];

export function Help({
  open,
  onOpenChange,
  choices,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  choices: readonly Choice[];
}) {
  const rows: [string[], string, string?][] = [
    ...choices.filter((c) => c.key !== "").map((c): [string[], string, string?] => [[c.key], c.label, c.note]),
    ...COMMAND_KEYS,
  ];
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title="Keys of the seat" wide>
        <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
          {rows.map(([keys, what, note]) => (
            <div key={keys.join()} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd className="foreign">
                {visible(what)}
                {note ? <span className="block text-xs text-muted">{visible(note)}</span> : null}
              </dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
