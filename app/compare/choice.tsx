"use client";
import { type ReactNode, useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";

/** A choice with what it does, in words. */
export function Choice({
  label,
  checked,
  onChange,
  children,
}: {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-sm">
      <Checkbox
        id={id}
        checked={checked}
        onCheckedChange={(on) => onChange(on === true)}
        aria-label={label}
        className="mt-0.5"
      />
      <label htmlFor={id} className="min-w-0">
        {label} <span className="text-muted">– {children}</span>
      </label>
    </div>
  );
}
