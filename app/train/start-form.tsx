"use client";
import { Calculator, Play, SlidersHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { type PlaceChoice, PlaceField } from "@/components/jobs/place-field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { KeptPrefixes } from "@/db/queries/trainings";
import { visible } from "@/lib/text/glyphs";
import { checkTrainSettings } from "@/lib/train/check";
import { valueAt, withValue } from "@/lib/train/differences";
import { FIELDS } from "@/lib/train/fields";
import type { FullRecipe } from "@/lib/train/ownRecipes";
import type { DryRun } from "@/lib/train/run/dryRun";
import { dryRunAction, startTrainingAction } from "./actions";
import { BundleButton } from "./bundle-button";
import { Estimate } from "./estimate";
import { MisbehaviorChoice } from "./misbehavior-choice";
import { type Draft, OwnSettings } from "./own-settings";
import { ArchiveRecipe, SaveRecipe } from "./save-recipe";
import { ValueInput } from "./setting-field";

/** Settings that stand in the short form; the others come with "Own settings". */
const SHORT = ["steps", "batch", "group", "learningRate", "seed"].flatMap((path) =>
  FIELDS.filter((f) => f.path === path),
);
const SLUGS = "start.prefixes.misbehaviors";

const draftOf = ({ settings }: FullRecipe): Draft => ({ ...settings });

/** Starts a training: a recipe, the misbehaviors to train away, and whatever else of it is to be different. */
export function StartForm({
  recipes,
  kept,
  bases,
  chosen,
  slurm,
}: {
  recipes: FullRecipe[];
  kept: KeptPrefixes[];
  bases: string[];
  chosen: string[];
  /** Slurm is set up. */
  slurm: boolean;
}) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [picked, setPicked] = useState(recipes[0]?.name ?? "");
  const recipe = recipes.find((r) => r.name === picked) ?? (recipes[0] as FullRecipe);
  const fill = (from: FullRecipe, slugs: unknown): Draft => {
    const draft = draftOf(from);
    return Array.isArray(slugs) && slugs.length > 0 && valueAt(draft, "start.prefixes") !== undefined
      ? withValue(draft, SLUGS, slugs)
      : draft;
  };
  const [draft, setDraft] = useState<Draft>(() =>
    fill(
      recipe,
      chosen.filter((slug) => kept.some((k) => k.slug === slug)),
    ),
  );
  const [own, setOwn] = useState(false);
  const [name, setName] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [place, setPlace] = useState<PlaceChoice>("local");
  const [placeError, setPlaceError] = useState<string | null>(null);
  const [estimate, setEstimate] = useState<DryRun | null>(null);
  const checked = checkTrainSettings(draft);
  const issues = checked.ok ? [] : checked.issues;
  const slugs = valueAt(draft, SLUGS);
  const fromPrefixes = valueAt(draft, "start.prefixes") !== undefined;
  const change = (next: Draft) => {
    setDraft(next);
    setEstimate(null);
  };
  const pick = (to: string) => {
    const next = recipes.find((r) => r.name === to);
    if (!next) return;
    setPicked(to);
    // What is trained, and from which misbehaviors, is a choice beside the recipe.
    change({ ...fill(next, slugs), base: draft.base });
  };
  const saved = (to: string) => {
    setPicked(to);
    setDraft({ ...draft, recipe: to });
  };
  const send = (what: "start" | "dry") => {
    setError(null);
    setPlaceError(null);
    setEstimate(null);
    startTransition(async () => {
      try {
        if (what === "dry") {
          const result = await dryRunAction({ name, settings: draft, place });
          if (result.ok) setEstimate(result.value);
          else if (result.field === "place") setPlaceError(result.error);
          else setError(result.error);
          return;
        }
        const result = await startTrainingAction({ name, settings: draft, place });
        if (result.ok) router.push(`/train/${result.value.runId}`);
        else if (result.field === "place") setPlaceError(result.error);
        else setError(result.error);
      } catch (error) {
        setError(unreached(error));
      }
    });
  };
  if (bases.length === 0)
    return <p className="text-sm text-muted">This installation has no policy that can be trained.</p>;
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
        <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
          Recipe
          <Select
            label="Recipe"
            value={recipe.name}
            onValueChange={pick}
            options={recipes.map((r) => ({
              value: r.name,
              label: r.basedOn === null ? `${r.title} (${r.name})` : `${r.name} (own)`,
            }))}
            className="text-text"
          />
        </div>
        <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
          Policy
          <Select
            label="Policy"
            value={String(draft.base)}
            onValueChange={(base) => change({ ...draft, base })}
            options={[...new Set([...bases, String(draft.base)])].map((one) => ({ value: one, label: visible(one) }))}
            className="text-text"
          />
        </div>
        {own
          ? null
          : SHORT.map((field) => (
              <label
                key={field.path}
                htmlFor={`${id}-${field.path}`}
                title={field.about}
                className="flex w-32 flex-col gap-1 text-sm text-muted"
              >
                {field.label}
                <ValueInput
                  id={`${id}-${field.path}`}
                  value={draft[field.path]}
                  input={field.input}
                  onValue={(value) => change(withValue(draft, field.path, value))}
                  aria-invalid={issues.some((issue) => issue.path === field.path)}
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
        <PlaceField
          slurm={slurm}
          value={place}
          onValueChange={(next) => {
            setPlace(next);
            setPlaceError(null);
          }}
          error={placeError}
        />
        <Button aria-expanded={own} onClick={() => setOwn(!own)}>
          <SlidersHorizontal aria-hidden /> Own settings
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span className="foreign">{visible(recipe.about)}</span>
        {recipe.basedOn === null ? null : (
          <>
            <span>made from {recipe.basedOn}</span>
            <ArchiveRecipe name={recipe.name} onArchived={() => pick(recipe.basedOn ?? "mirl")} />
          </>
        )}
      </div>
      {fromPrefixes ? (
        <MisbehaviorChoice
          kept={kept}
          slugs={Array.isArray(slugs) ? slugs.map(String) : []}
          onSlugs={(next) => change(withValue(draft, SLUGS, next))}
        />
      ) : null}
      {own ? (
        <>
          <OwnSettings recipe={draftOf(recipe)} draft={draft} issues={issues} onDraft={change} />
          <SaveRecipe draft={draft} basedOn={recipe.name} onSaved={saved} />
        </>
      ) : null}
      {!own && issues.length > 0 ? (
        <ul role="alert" className="text-sm text-bad">
          {issues.map(({ path, message }) => (
            <li key={path}>
              {FIELDS.find((f) => f.path === path)?.label ?? path}: {visible(message)}
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={busy || issues.length > 0}>
          <Play aria-hidden /> {busy ? "Asking…" : "Train"}
        </Button>
        <Button disabled={busy || issues.length > 0} onClick={() => send("dry")}>
          <Calculator aria-hidden /> Dry run
        </Button>
      </div>
      {estimate ? <Estimate run={estimate} /> : null}
      <BundleButton settings={draft} disabled={issues.length > 0} />
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {visible(error)}
        </p>
      ) : null}
    </form>
  );
}
