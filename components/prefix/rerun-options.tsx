"use client";
import { useState } from "react";
import { type PlaceChoice, PlaceField } from "@/components/jobs/place-field";
import { Checkbox } from "@/components/ui/checkbox";
import { Select } from "@/components/ui/select";

const REPEATS = [1, 2, 3, 5, 10].map((n) => ({
  value: String(n),
  label: n === 1 ? "1 rerun" : `${n} reruns`,
}));

export interface RerunOptionsState {
  value: { repeats: number; mode: "stop" | "through"; place: PlaceChoice };
  set: (value: RerunOptionsState["value"]) => void;
}

/** How reruns are to be made: two of each, stopping at the first difference, until chosen otherwise. */
export function useRerunOptions(): RerunOptionsState {
  const [value, set] = useState<RerunOptionsState["value"]>({ repeats: 2, mode: "stop", place: "local" });
  return { value, set };
}

/** Repeats, mode and place of reruns. */
export function RerunOptions({
  options,
  slurm,
  placeError,
}: {
  options: RerunOptionsState;
  /** Slurm is set up. */
  slurm: boolean;
  /** What was refused about the place. */
  placeError: string | null;
}) {
  const { value, set } = options;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <Select
        label="Reruns of each prefix"
        value={String(value.repeats)}
        options={REPEATS}
        onValueChange={(n) => set({ ...value, repeats: Number(n) })}
      />
      {value.repeats === 1 ? (
        <span className="text-xs text-warn">A single pass lets flaky prefixes through.</span>
      ) : null}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control */}
      <label
        className="inline-flex items-center gap-1.5"
        title="Go on after the first difference, so that the other rules are known too"
      >
        <Checkbox
          checked={value.mode === "through"}
          onCheckedChange={(on) => set({ ...value, mode: on === true ? "through" : "stop" })}
        />
        through to the end
      </label>
      <PlaceField
        inline
        slurm={slurm}
        value={value.place}
        onValueChange={(place) => set({ ...value, place })}
        error={placeError}
      />
    </span>
  );
}
