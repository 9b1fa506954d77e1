"use client";
import { Hammer } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { buildTaxonomyAction } from "./actions";
import { type AnnotatorChoice, Labelled, useNumber } from "./labels-form";

/** Which error steps: all, or those of a profile or model. */
export interface StepsChoice {
  value: string;
  label: string;
}

const stepsOf = (value: string) => {
  const [kind, id] = value.split(":");
  if (kind === "profile") return { profile: Number(id) };
  if (kind === "checkpoint") return { checkpoints: [Number(id)] };
  return { all: true as const };
};

/** Starts the build of a taxonomy: one press with what is filled in, everything can be changed. */
export function BuildForm({
  annotators,
  steps,
  errorSteps,
}: {
  annotators: AnnotatorChoice[];
  steps: StepsChoice[];
  errorSteps: number;
}) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const [name, setName] = useState("own");
  const [annotator, setAnnotator] = useState(annotators[0]?.value ?? "rules");
  const [from, setFrom] = useState(steps[0]?.value ?? "all");
  const seed = useNumber(1);
  const batchSize = useNumber(40, { min: 2, max: 500 });
  const proposeBatches = useNumber(5, { min: 1, max: 1000 });
  const maxRefine = useNumber(10, { max: 1000 });
  const newShare = useNumber(0.05, { max: 1, whole: false });
  const calmBatches = useNumber(2, { min: 1, max: 100 });
  const recurrence = useNumber(2, { min: 1, max: 1000 });
  const labelBatchSize = useNumber(40, { min: 1, max: 500 });
  const keepShare = useNumber(0.01, { max: 1, whole: false });
  const fields = {
    seed,
    batchSize,
    proposeBatches,
    maxRefine,
    newShare,
    calmBatches,
    recurrence,
    labelBatchSize,
    keepShare,
  };
  const send = async () => {
    const wrong = Object.entries(fields).find(([, field]) => field.value === null);
    if (wrong) {
      setError("One of the settings is no number, or outside of its bounds.");
      return;
    }
    const numbers = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.value ?? 0]));
    const spec =
      annotator === "rules"
        ? { use: "rules" as const }
        : { use: "model" as const, ...(annotator === "model" ? {} : { model: annotator }) };
    try {
      const result = await buildTaxonomyAction({
        name,
        settings: { ...numbers, annotator: spec, steps: stepsOf(from) },
      });
      if (result.ok) router.push(`/misbehaviors/versions/${result.value.taxonomyId}`);
      else setError(result.error);
    } catch (error) {
      setError(unreached(error));
    }
  };
  return (
    <form
      aria-label="Build a taxonomy"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        startTransition(send);
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="Name" className="w-44">
          <Input
            value={name}
            required
            maxLength={80}
            onChange={(event) => setName(event.target.value)}
            className="text-text"
          />
        </Labelled>
        <div className="flex flex-col gap-1 text-sm text-muted">
          Annotator
          <Select
            label="Annotator"
            value={annotator}
            onValueChange={setAnnotator}
            options={annotators}
            className="text-text"
          />
        </div>
        <div className="flex max-w-full min-w-0 flex-col gap-1 text-sm text-muted">
          Error steps
          <Select label="Error steps" value={from} onValueChange={setFrom} options={steps} className="text-text" />
        </div>
        <Button type="submit" variant="primary" disabled={busy || errorSteps === 0}>
          <Hammer aria-hidden /> {busy ? "Queueing…" : "Build a taxonomy"}
        </Button>
      </div>
      <details>
        <summary className="cursor-pointer text-sm text-muted">Settings</summary>
        <div className="mt-2 flex flex-wrap items-end gap-3">
          {seed.field("Seed")}
          {batchSize.field("Steps a batch")}
          {proposeBatches.field("Proposing batches")}
          {maxRefine.field("Refining batches at most")}
          {newShare.field("Share of new patterns")}
          {calmBatches.field("Calm batches in a row")}
          {recurrence.field("Seen in batches")}
          {labelBatchSize.field("Steps a labelling batch")}
          {keepShare.field("Share to be kept")}
        </div>
        <p className="mt-2 max-w-prose text-xs text-muted">
          Types are proposed from seeded random batches, tried on fresh ones until the share of new patterns stays below
          the threshold, kept when seen in enough batches, and used to label every error step. Types with at least the
          share to be kept count as misbehaviors; the rest is the long tail. The same settings and seed give the same
          batches.
        </p>
      </details>
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {error}
        </p>
      ) : null}
    </form>
  );
}
