"use client";
import { useState } from "react";
import { Input } from "@/components/ui/field";

/** One choice of the annotator: the rules, the model of the settings, or a model by its name. */
export interface AnnotatorChoice {
  value: string;
  label: string;
}

/** A field with its label above it. */
export function Labelled({
  label,
  children,
  className = "",
}: {
  label: string;
  children: React.ReactNode;
  className?: string;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className={`flex flex-col gap-1 text-sm text-muted ${className}`}>
      {label}
      {children}
    </label>
  );
}

/** Text of several lines. */
export function TextArea({ className = "", ...props }: React.ComponentProps<"textarea">) {
  return (
    <textarea
      rows={3}
      className={`w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 py-1.5 text-sm text-text placeholder:text-muted ${className}`}
      {...props}
    />
  );
}

/** A number as typed; null when it is none within the bounds. */
export function useNumber(initial: number, { min = 0, max = Number.MAX_SAFE_INTEGER, whole = true } = {}) {
  const [text, setText] = useState(String(initial));
  const n = Number(text);
  const ok = text.trim() !== "" && Number.isFinite(n) && n >= min && n <= max && (!whole || Number.isInteger(n));
  const field = (label: string, title?: string) => (
    <Labelled label={label} className="w-36">
      <Input
        type="number"
        min={min}
        max={max > 1_000_000 ? undefined : max}
        step={whole ? 1 : "any"}
        value={text}
        title={title}
        aria-invalid={!ok}
        onChange={(event) => setText(event.target.value)}
        className="text-text tabular-nums"
      />
    </Labelled>
  );
  return { value: ok ? n : null, field };
}
