"use client";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";

/** A labelled line of a form by which one comes in. */
export function EntryField({
  label,
  hint,
  ...input
}: React.ComponentProps<"input"> & { label: string; hint?: string }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1 text-sm">
      <label htmlFor={id}>{label}</label>
      <Input id={id} required aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** A form with one button. `submit` gives back what is wrong, or null. It works only once the page is alive, and says so. */
export function EntryForm({
  label,
  button,
  submit,
  children,
}: {
  label: string;
  button: string;
  submit: (fields: FormData) => Promise<string | null>;
  children: React.ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  return (
    <form
      aria-label={label}
      method="post"
      className="flex flex-col gap-3"
      onSubmit={async (event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        setBusy(true);
        setError(null);
        const said = await submit(fields);
        setError(said);
        if (said !== null) setBusy(false);
      }}
    >
      {children}
      {error === null ? null : (
        <p role="alert" className="foreign text-sm text-bad">
          {error}
        </p>
      )}
      <Button type="submit" variant="primary" disabled={busy}>
        {busy ? "One moment…" : button}
      </Button>
    </form>
  );
}

/** A text field of a form. */
export const field = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
};
