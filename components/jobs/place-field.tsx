"use client";
import { useId } from "react";
import { cn } from "@/components/cn";
import { Select } from "@/components/ui/select";

/** Where a job can be asked to run. */
export type PlaceChoice = "local" | "slurm";

const PLACES = [
  { value: "local", label: "This machine" },
  { value: "slurm", label: "Slurm" },
];

/** Where a job runs, with what was refused about it. Nothing where there is no choice. */
export function PlaceField({
  slurm,
  value,
  onValueChange,
  error,
  inline = false,
}: {
  /** Slurm is set up. */
  slurm: boolean;
  value: PlaceChoice;
  onValueChange: (value: PlaceChoice) => void;
  error: string | null;
  /** Label beside the choice, not above it. */
  inline?: boolean;
}) {
  const id = useId();
  // A refusal may also be that Slurm is no longer set up: it is said even so.
  if (!slurm && error === null) return null;
  return (
    <div
      className={cn(
        "flex min-w-0 text-sm text-muted",
        inline ? "flex-wrap items-center gap-1.5" : "max-w-md flex-col items-start gap-1",
      )}
    >
      Runs on
      <Select
        label="Runs on"
        value={value}
        onValueChange={(next) => onValueChange(next as PlaceChoice)}
        options={PLACES}
        className="text-text"
        invalid={error !== null}
        describedBy={error === null ? undefined : id}
      />
      {error === null ? null : (
        <span id={id} role="alert" className="foreign text-bad">
          {error}
        </span>
      )}
    </div>
  );
}
