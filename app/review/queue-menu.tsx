"use client";
import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { useId, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/components/ui/dropdown";
import { Input } from "@/components/ui/field";
import { extendQueueAction, setOpenAction, writeGuidelineAction } from "./actions";

/** Places of a queue, and what an admin does to it. */
export function QueueMenu({
  id,
  name,
  phase,
  mode,
  admin,
}: {
  id: number;
  name: string;
  phase: string;
  mode: string;
  admin: boolean;
}) {
  const [open, setOpen] = useState<"guideline" | "extend" | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [busy, start] = useTransition();
  const run = (what: () => Promise<{ ok: true } | { ok: false; error: string }>) =>
    start(async () => {
      setSaid(null);
      try {
        const result = await what();
        if (result.ok) setOpen(null);
        else setSaid(result.error);
      } catch {
        setSaid("The server did not answer. Look whether it was done, then try again.");
      }
    });
  const places = [
    ["Agreement", `/review/${id}/agreement`],
    ["Settle", `/review/${id}/settle`],
    ...(mode === "norming" ? [["Norming", `/review/${id}/norming`] as const] : []),
    ["Your answers", `/review/${id}/history`],
  ] as const;
  return (
    <>
      <Dropdown>
        <DropdownTrigger asChild>
          <Button size="icon-sm" variant="ghost" aria-label={`More of ${name}`} disabled={busy}>
            <Ellipsis aria-hidden />
          </Button>
        </DropdownTrigger>
        <DropdownContent>
          {places.map(([label, href]) => (
            <DropdownItem key={href} asChild>
              <Link href={href}>{label}</Link>
            </DropdownItem>
          ))}
          {admin ? (
            <>
              <DropdownItem onSelect={() => setOpen("guideline")}>New guideline…</DropdownItem>
              <DropdownItem onSelect={() => setOpen("extend")}>Add items…</DropdownItem>
              {mode === "queue" ? (
                <DropdownItem onSelect={() => run(() => setOpenAction({ queueId: id, open: phase === "closed" }))}>
                  {phase === "closed" ? "Open again" : "Close"}
                </DropdownItem>
              ) : null}
            </>
          ) : null}
        </DropdownContent>
      </Dropdown>
      {open === null && said ? (
        <p role="alert" className="text-xs text-bad">
          {said}
        </p>
      ) : null}
      <Dialog open={open === "guideline"} onOpenChange={(on) => setOpen(on ? "guideline" : null)}>
        <DialogContent
          title={`New guideline for ${name}`}
          description="A new version: answers given before keep the one they were given under."
        >
          <GuidelineForm
            said={said}
            busy={busy}
            onSubmit={(text) => run(() => writeGuidelineAction({ queueId: id, text }))}
          />
        </DialogContent>
      </Dialog>
      <Dialog open={open === "extend"} onOpenChange={(on) => setOpen(on ? "extend" : null)}>
        <DialogContent
          title={`Add items to ${name}`}
          description="Drawn at random from what the queue was made of, without those it has, and given out after them."
        >
          <ExtendForm
            said={said}
            busy={busy}
            onSubmit={(n, seed) => run(() => extendQueueAction({ queueId: id, strategy: "random", n, seed }))}
          />
        </DialogContent>
      </Dialog>
    </>
  );
}

function GuidelineForm({
  said,
  busy,
  onSubmit,
}: {
  said: string | null;
  busy: boolean;
  onSubmit: (text: string) => void;
}) {
  const [text, setText] = useState("");
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(text);
      }}
    >
      <textarea
        aria-label="Guideline"
        required
        rows={8}
        maxLength={50_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="w-full rounded-md border border-line-strong bg-surface px-2.5 py-1.5 text-sm"
      />
      <Foot said={said} busy={busy} label="Write it" />
    </form>
  );
}

function ExtendForm({
  said,
  busy,
  onSubmit,
}: {
  said: string | null;
  busy: boolean;
  onSubmit: (n: number, seed: number) => void;
}) {
  const id = useId();
  const [n, setN] = useState("50");
  const [seed, setSeed] = useState("2");
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(Number(n), Number(seed));
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <label htmlFor={`${id}-n`} className="flex flex-col gap-1 text-sm">
          Items
          <Input
            id={`${id}-n`}
            type="number"
            min={1}
            max={100_000}
            required
            value={n}
            onChange={(e) => setN(e.target.value)}
          />
        </label>
        <label htmlFor={`${id}-seed`} className="flex flex-col gap-1 text-sm">
          Seed
          <Input
            id={`${id}-seed`}
            type="number"
            min={0}
            required
            value={seed}
            onChange={(e) => setSeed(e.target.value)}
          />
        </label>
      </div>
      <Foot said={said} busy={busy} label="Draw them" />
    </form>
  );
}

function Foot({ said, busy, label }: { said: string | null; busy: boolean; label: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button type="submit" variant="primary" disabled={busy}>
        {label}
      </Button>
      <p aria-live="polite" className="min-w-0 flex-1 text-sm text-bad">
        {said}
      </p>
    </div>
  );
}
