"use client";
import { Calculator, Play } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { KeptPrefixes } from "@/db/queries/trainings";
import { formatCount, formatDuration, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { RECIPES, recipeOf } from "@/lib/train/recipes";
import type { DryRun } from "@/lib/train/run/dryRun";
import { dryRunAction, startTrainingAction, type WantedTraining } from "./actions";

const UNREACHED = "The server did not answer. Is Misstep still running? Then try again.";
const FIELDS = [
  { name: "steps", label: "Steps", least: 1, step: "1", hint: "optimiser steps" },
  { name: "batch", label: "Groups a step", least: 1, step: "1", hint: "starts drawn" },
  { name: "group", label: "Rollouts a group", least: 2, step: "1", hint: "of one start" },
  { name: "learningRate", label: "Learning rate", least: 0, step: "any", hint: "AdamW" },
  { name: "seed", label: "Seed", least: 0, step: "1", hint: "decides all that is drawn" },
] as const;
type FieldName = (typeof FIELDS)[number]["name"];
const DEFAULTS: Record<FieldName, string> = { steps: "60", batch: "4", group: "8", learningRate: "0.0001", seed: "1" };

const between = (a: string, b: string): string => (a === b ? a : `${a} to ${b}`);

const STARTS: Record<DryRun["starts"]["kind"], (n: number) => string> = {
  prefix: (n) => plural(n, "kept prefix", "kept prefixes"),
  task: (n) => plural(n, "environment"),
  pivot: (n) => plural(n, "candidate turn"),
};

/** What would be done, in a sentence. */
function Estimate({ run }: { run: DryRun }) {
  const { starts, groups, rollouts, expectedMs } = run;
  const range = ({ least, most }: { least: number; most: number }) => between(formatCount(least), formatCount(most));
  return (
    <p role="status" className="text-sm">
      {STARTS[starts.kind](starts.count)} to start from; {range(groups)} groups, {range(rollouts)} rollouts (more where
      groups have no spread and are replaced).{" "}
      {expectedMs === null
        ? "How long it takes is not known: no training has run here yet."
        : `About ${between(formatDuration(expectedMs.least), formatDuration(expectedMs.most))} at the pace of trainings on this machine.`}
    </p>
  );
}

/** Starts a training: a recipe, the misbehaviors to train away, and how much of it. */
export function StartForm({ kept, bases, chosen }: { kept: KeptPrefixes[]; bases: string[]; chosen: string[] }) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [recipe, setRecipe] = useState("mirl");
  const [base, setBase] = useState(bases[0] ?? "");
  const [name, setName] = useState("");
  const [slugs, setSlugs] = useState<string[]>(chosen.filter((slug) => kept.some((k) => k.slug === slug)));
  const [values, setValues] = useState(DEFAULTS);
  const [error, setError] = useState<string | null>(null);
  const [estimate, setEstimate] = useState<DryRun | null>(null);
  const about = recipeOf(recipe);
  const kind = about?.settings.start.kind;
  const fromPrefixes = kind === "prefix" || kind === "environments";
  const input = (): WantedTraining => ({
    recipe,
    base,
    name,
    misbehaviors: slugs,
    steps: Number(values.steps),
    batch: Number(values.batch),
    group: Number(values.group),
    learningRate: Number(values.learningRate),
    seed: Number(values.seed),
  });
  const send = (what: "start" | "dry") => {
    setError(null);
    setEstimate(null);
    startTransition(async () => {
      try {
        if (what === "dry") {
          const result = await dryRunAction(input());
          if (result.ok) setEstimate(result.value);
          else setError(result.error);
          return;
        }
        const result = await startTrainingAction(input());
        if (result.ok) router.push(`/train/${result.value.runId}`);
        else setError(result.error);
      } catch {
        setError(UNREACHED);
      }
    });
  };
  if (bases.length === 0)
    return <p className="text-sm text-muted">This installation has no policy that can be trained.</p>;
  const toggle = (slug: string, on: boolean) => setSlugs(on ? [...slugs, slug] : slugs.filter((s) => s !== slug));
  return (
    <form
      aria-label="Start a training"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send("start");
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <div className="flex flex-col gap-1 text-sm text-muted">
          Recipe
          <Select
            label="Recipe"
            value={recipe}
            onValueChange={setRecipe}
            options={RECIPES.map((r) => ({ value: r.name, label: `${r.title} (${r.name})` }))}
            className="text-text"
          />
        </div>
        <div className="flex flex-col gap-1 text-sm text-muted">
          Policy
          <Select
            label="Policy"
            value={base}
            onValueChange={setBase}
            options={bases.map((one) => ({ value: one, label: visible(one) }))}
            className="text-text"
          />
        </div>
        {FIELDS.map((field) => (
          <label
            key={field.name}
            htmlFor={`${id}-${field.name}`}
            title={field.hint}
            className="flex w-32 flex-col gap-1 text-sm text-muted"
          >
            {field.label}
            <Input
              id={`${id}-${field.name}`}
              type="number"
              min={field.least}
              step={field.step}
              required
              value={values[field.name]}
              onChange={(event) => setValues({ ...values, [field.name]: event.target.value })}
              className="text-text tabular-nums"
            />
          </label>
        ))}
        <label htmlFor={`${id}-name`} className="flex w-40 flex-col gap-1 text-sm text-muted">
          Name (optional)
          <Input
            id={`${id}-name`}
            value={name}
            maxLength={48}
            pattern="[a-z0-9][a-z0-9.\-]*"
            title="small letters, digits, dots and dashes"
            onChange={(event) => setName(event.target.value)}
            className="text-text"
          />
        </label>
      </div>
      <p className="text-sm text-muted">{about?.about}</p>
      {fromPrefixes ? (
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1 text-sm text-muted">
            Misbehaviors {slugs.length === 0 ? "(all, as none is chosen)" : `(${formatCount(slugs.length)} chosen)`}
          </legend>
          {kept.length === 0 ? (
            <p className="text-sm">
              No kept prefix yet.{" "}
              <Link href="/prefixes" className="text-accent hover:underline">
                Draw prefixes and rerun them
              </Link>{" "}
              first: training starts only from states that are reached again.
            </p>
          ) : (
            <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2 xl:grid-cols-4">
              {kept.map((row) => (
                <div key={row.slug} className="flex items-start gap-2 text-sm">
                  <Checkbox
                    id={`${id}-${row.slug}`}
                    checked={slugs.includes(row.slug)}
                    onCheckedChange={(on) => toggle(row.slug, on === true)}
                    aria-label={row.name}
                  />
                  <label htmlFor={`${id}-${row.slug}`} className="foreign min-w-0">
                    {visible(row.name)}{" "}
                    <span className="text-xs whitespace-nowrap text-muted">
                      {formatCount(row.prefixes)} in {plural(row.environments, "environment")}
                    </span>
                  </label>
                </div>
              ))}
            </div>
          )}
        </fieldset>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={busy}>
          <Play aria-hidden /> {busy ? "Asking…" : "Train"}
        </Button>
        <Button disabled={busy} onClick={() => send("dry")}>
          <Calculator aria-hidden /> Dry run
        </Button>
      </div>
      {estimate ? <Estimate run={estimate} /> : null}
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {error}
        </p>
      ) : null}
    </form>
  );
}
