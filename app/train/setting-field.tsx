"use client";
import { RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { visible } from "@/lib/text/glyphs";
import type { Field, FieldInput } from "@/lib/train/field";

/** A text as the value of a number; what is no number stays a text, so that the check says so at the field. */
export function numberOf(
  text: string,
  { nullable, optional }: { nullable?: boolean; optional?: boolean } = {},
): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return nullable ? null : optional ? undefined : "";
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
}

const idsOf = (text: string): unknown => {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  return words.length === 0 ? undefined : words.map((word) => (/^\d+$/.test(word) ? Number(word) : word));
};

function roleOf(text: string): unknown {
  const trimmed = text.trim();
  return trimmed.startsWith("model:")
    ? { use: "model", options: { model: trimmed.slice(6) } }
    : { use: trimmed, options: {} };
}

function roleText(value: unknown): string {
  if (typeof value === "string") return value;
  const { use = "", options = {} } = (value ?? {}) as { use?: string; options?: { model?: unknown } };
  return typeof options.model === "string" ? `${use}:${options.model}` : use;
}

const READ: Record<"number" | "whole" | "ids" | "role", (text: string, input: FieldInput) => unknown> = {
  number: (text, input) => numberOf(text, input as { nullable?: boolean; optional?: boolean }),
  whole: (text, input) => numberOf(text, input as { nullable?: boolean; optional?: boolean }),
  ids: idsOf,
  role: roleOf,
};

/** A value as the text of its field. */
function textOf(value: unknown, kind: FieldInput["kind"]): string {
  if (value === null || value === undefined) return "";
  if (kind === "role") return roleText(value);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** A line of input for a value that is not a text: what is typed stays as it was typed as long as it means the value. */
export function ValueInput({
  value,
  input,
  onValue,
  ...props
}: {
  value: unknown;
  input: FieldInput;
  onValue: (value: unknown) => void;
} & Omit<React.ComponentProps<typeof Input>, "value" | "onChange">) {
  const [typed, setTyped] = useState<string | null>(null);
  const kind = input.kind as keyof typeof READ;
  const read = (text: string) => READ[kind](text, input);
  const means = typed !== null && JSON.stringify(read(typed)) === JSON.stringify(value);
  return (
    <Input
      value={means ? (typed as string) : textOf(value, kind)}
      inputMode={kind === "number" ? "decimal" : kind === "whole" ? "numeric" : undefined}
      spellCheck={false}
      onChange={(event) => {
        setTyped(event.target.value);
        onValue(read(event.target.value));
      }}
      {...props}
    />
  );
}

/** One setting with what it means, what is wrong with it, and how it differs from the recipe. */
export function SettingField({
  field,
  value,
  changed,
  issue,
  onValue,
  onReset,
}: {
  field: Field;
  value: unknown;
  /** The recipe's value in words; null: it is that. */
  changed: string | null;
  issue: string | null;
  onValue: (value: unknown) => void;
  onReset: () => void;
}) {
  const id = useId();
  const { input, label, about } = field;
  const described = { "aria-describedby": `${id}-about`, "aria-invalid": issue !== null };
  return (
    <div
      className={`flex min-w-0 flex-col gap-1 border-l-2 pl-2 ${changed === null ? "border-transparent" : "border-accent"}`}
    >
      <div className="flex min-h-6 items-center gap-2 text-sm">
        {input.kind === "switch" ? (
          <Checkbox
            id={id}
            checked={value === true}
            onCheckedChange={(on) => onValue(on === true)}
            aria-label={label}
            {...described}
          />
        ) : null}
        <label htmlFor={id} className="min-w-0 flex-1 font-medium">
          {label}
        </label>
        {changed === null ? null : (
          <Button
            size="sm"
            variant="ghost"
            onClick={onReset}
            aria-label={`Reset ${label}`}
            title={`Back to ${changed}`}
          >
            <RotateCcw aria-hidden /> <span className="text-xs">changed</span>
          </Button>
        )}
      </div>
      {input.kind === "choice" ? (
        <Select label={label} value={String(value ?? "")} onValueChange={onValue} options={[...input.options]} />
      ) : input.kind === "switch" ? null : (
        <ValueInput
          id={id}
          value={value}
          input={input}
          onValue={onValue}
          placeholder={"empty" in input ? input.empty : undefined}
          className="tabular-nums"
          {...described}
        />
      )}
      <p id={`${id}-about`} className="text-xs text-muted">
        {about}
        {input.kind === "role" ? ` ${input.roles}.` : ""}
        {changed === null ? "" : ` Recipe: ${visible(changed)}.`}
      </p>
      {issue === null ? null : (
        <p role="alert" className="text-xs text-bad">
          {visible(issue)}
        </p>
      )}
    </div>
  );
}
