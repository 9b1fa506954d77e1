"use client";
import { Dices } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Term } from "@/components/ui/term";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { samplePrefixesAction } from "./actions";
import { prefixesHref } from "./search-params";
import type { SampleVersion } from "./versions";

type Drawn = { drawId: number; drawn: number; short: { slug: string; drawn: number; asked: number }[] };

/** A draw of misbehavior prefixes: N a misbehavior of a taxonomy's version, a seed, the share of environments held out. */
export function SampleForm({ versions, inForce }: { versions: SampleVersion[]; inForce: number }) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [per, setPer] = useState("80");
  const [seed, setSeed] = useState("1");
  const [heldOut, setHeldOut] = useState("30");
  const [chosen, setChosen] = useState<number | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<string | null>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const taxonomyId = chosen ?? inForce;
  const options = versions.find((v) => v.id === taxonomyId)?.types ?? [];
  const taken = options.filter((o) => !left.has(o.slug));
  const submit = () =>
    startTransition(async () => {
      const result = await samplePrefixesAction({
        per: Number(per),
        seed: Number(seed),
        heldOut: Number(heldOut) / 100,
        taxonomyId,
        misbehaviors: taken.map((o) => o.slug),
      });
      setError(result.ok ? null : result.error);
      setDrawn(result.ok ? result.value : null);
      if (result.ok) router.refresh();
    });
  const field = (name: string, label: string, value: string, set: (v: string) => void, max: number) => (
    <label htmlFor={`${id}-${name}`} className="flex flex-col gap-1 text-sm">
      {label}
      <Input
        id={`${id}-${name}`}
        type="number"
        min={name === "per" ? 1 : 0}
        max={max}
        required
        value={value}
        onChange={(e) => set(e.target.value)}
      />
    </label>
  );
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="primary">
          <Dices aria-hidden /> Sample prefixes
        </Button>
      </DialogTrigger>
      <DialogContent
        title="Sample misbehavior prefixes"
        description="Never one step twice; an environment is wholly in one part. The same seed over the same data draws the same."
      >
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <div className="grid items-end gap-3 sm:grid-cols-3">
            {field("per", "Prefixes a misbehavior", per, setPer, 10_000)}
            {field("seed", "Seed", seed, setSeed, 2 ** 31 - 1)}
            {field("held", "Environments held out, %", heldOut, setHeldOut, 100)}
          </div>
          <p className="flex items-center gap-1 text-xs text-muted">
            Each ends right before an error step <Term name="misbehavior prefix" />
          </p>
          {versions.length > 1 ? (
            <div className="flex flex-col items-start gap-1 text-sm">
              Taxonomy
              <Select
                label="Taxonomy"
                value={String(taxonomyId)}
                onValueChange={(id) => {
                  setChosen(Number(id));
                  setLeft(new Set());
                }}
                options={versions.map((v) => ({
                  value: String(v.id),
                  label: `${visible(v.name)} ${v.version}${v.id === inForce ? " (in force)" : ""}`,
                }))}
              />
            </div>
          ) : null}
          <fieldset className="flex flex-col gap-1">
            <legend className="pb-1 text-sm">Misbehaviors</legend>
            {options.map((option, i) => (
              <div key={option.slug} className="flex items-center gap-2 text-sm">
                <Checkbox
                  id={`${id}-m${i}`}
                  checked={!left.has(option.slug)}
                  onCheckedChange={(on) => {
                    const next = new Set(left);
                    if (on === true) next.delete(option.slug);
                    else next.add(option.slug);
                    setLeft(next);
                  }}
                />
                <label htmlFor={`${id}-m${i}`} className="foreign min-w-0 flex-1">
                  {visible(option.name)}
                </label>
                <span className="text-xs text-muted tabular-nums">{plural(option.errorSteps, "error step")}</span>
              </div>
            ))}
          </fieldset>
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" variant="primary" disabled={busy || taken.length === 0}>
              Draw
            </Button>
            <div aria-live="polite" className="min-w-0 flex-1 text-sm">
              {error ? <span className="foreign text-bad">{error}</span> : null}
              {drawn ? (
                <>
                  <a href={prefixesHref({ draw: drawn.drawId })} className="text-accent hover:underline">
                    Draw {drawn.drawId}: {plural(drawn.drawn, "prefix", "prefixes")}
                  </a>
                  {drawn.short.length > 0 ? (
                    <span className="text-muted">
                      {" "}
                      · fewer than asked: {drawn.short.map((s) => `${s.slug} ${s.drawn} of ${s.asked}`).join(", ")}
                    </span>
                  ) : null}
                </>
              ) : null}
            </div>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}
