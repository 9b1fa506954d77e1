"use client";
import { useEffect, useState } from "react";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { ListParams, TextRange } from "./search-params";

type RangeKey = "steps" | "tokens" | "cost" | "started";

const RANGES: { key: RangeKey; label: string; type: "number" | "date"; step?: string }[] = [
  { key: "steps", label: "Steps", type: "number", step: "1" },
  { key: "tokens", label: "Tokens", type: "number", step: "1" },
  { key: "cost", label: "Cost in US$", type: "number", step: "any" },
  { key: "started", label: "Started (day, UTC)", type: "date" },
];
const AIDS = [
  { value: "either", label: "Aided or not" },
  { value: "yes", label: "Unaided rollouts" },
  { value: "no", label: "From a prefix or under a teacher" },
];
const EXCEPTIONS = [
  { value: "either", label: "With or without exception" },
  { value: "yes", label: "With exception" },
  { value: "no", label: "Without exception" },
];

interface Props {
  params: ListParams;
  onChange: (change: Partial<Pick<ListParams, RangeKey | "exception" | "unaided">>) => void;
}

/** Ranges, the exception filter, and whether a rollout was unaided. A range applies when its field is left or Enter is pressed. */
export function RangeFields({ params, onChange }: Props) {
  return (
    <div className="flex flex-col gap-2.5">
      {RANGES.map(({ key, label, type, step }) => (
        <fieldset key={key} className="flex flex-col gap-1">
          <legend className="mb-1 text-xs text-muted">{label}</legend>
          <RangeInputs
            label={label}
            type={type}
            step={step}
            value={params[key]}
            onChange={(range) => onChange({ [key]: range })}
          />
        </fieldset>
      ))}
      <Select
        label="Exception"
        value={params.exception === null ? "either" : params.exception ? "yes" : "no"}
        options={EXCEPTIONS}
        onValueChange={(v) => onChange({ exception: v === "either" ? null : v === "yes" })}
      />
      <Select
        label="Aid"
        value={params.unaided === null ? "either" : params.unaided ? "yes" : "no"}
        options={AIDS}
        onValueChange={(v) => onChange({ unaided: v === "either" ? null : v === "yes" })}
      />
      <p className="text-xs text-muted">A value that a file does not state is outside of every range.</p>
    </div>
  );
}

interface RangeProps {
  label: string;
  type: "number" | "date";
  step?: string;
  value: TextRange | null;
  onChange: (range: TextRange | null) => void;
}

function RangeInputs({ label, type, step, value, onChange }: RangeProps) {
  const [min, setMin] = useState(value?.min ?? "");
  const [max, setMax] = useState(value?.max ?? "");
  useEffect(() => {
    setMin(value?.min ?? "");
    setMax(value?.max ?? "");
  }, [value]);
  const commit = () => {
    if (min === (value?.min ?? "") && max === (value?.max ?? "")) return;
    onChange(min === "" && max === "" ? null : { min, max });
  };
  const field = (name: string, text: string, change: (text: string) => void) => (
    <Input
      type={type}
      step={step}
      min={type === "number" ? 0 : undefined}
      aria-label={`${label} ${name}`}
      placeholder={name}
      value={text}
      onChange={(e) => change(e.target.value)}
      onBlur={commit}
      onKeyDown={(e) => {
        if (e.key === "Enter") commit();
      }}
    />
  );
  return (
    <div className="flex items-center gap-1.5">
      {field("from", min, setMin)}
      <span className="text-muted">–</span>
      {field("to", max, setMax)}
    </div>
  );
}
