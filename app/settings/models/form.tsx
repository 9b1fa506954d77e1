"use client";
import { useId, useState, useTransition } from "react";
import type { ActionResult } from "@/app/action";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

/** Runs an action; `error` is what it refused, `busy` while it runs. */
export function useAction() {
  const [busy, start] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const run = <T,>(action: () => Promise<ActionResult<T>>, done: (value: T) => void) => {
    setError(null);
    start(async () => {
      try {
        const result = await action();
        if (result.ok) done(result.value);
        else setError(result.error);
      } catch (error) {
        setError(unreached(error));
      }
    });
  };
  return { busy, error, setError, run };
}

/** What an action refused. */
export function Refusal({ error }: { error: string | null }) {
  return error === null ? null : (
    <p role="alert" className="foreign text-sm text-bad">
      {error}
    </p>
  );
}

/** A labelled line of text. `hint` is read with it. */
export function TextField({
  label,
  hint,
  value,
  onChange,
  ...props
}: Omit<React.ComponentProps<"input">, "onChange"> & {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1 text-sm">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <Input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        autoComplete="off"
        spellCheck={false}
        {...props}
      />
      {hint ? (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** A labelled choice. */
export function ChoiceField({
  label,
  hint,
  ...select
}: React.ComponentProps<typeof Select> & { label: string; hint?: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 text-sm">
      <span className="text-muted">{label}</span>
      <Select label={label} {...select} className="justify-between" />
      {hint ? <p className="text-xs text-muted">{hint}</p> : null}
    </div>
  );
}

/** A button that opens a form. `children` gets how to close it; the form is new each time it opens. */
export function FormDialog({
  title,
  description,
  trigger,
  children,
}: {
  title: string;
  description?: string;
  trigger: React.ReactNode;
  children: (close: () => void) => React.ReactNode;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      {open ? (
        <DialogContent title={title} description={description}>
          {children(() => setOpen(false))}
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

/** A form with its refusal and its buttons. */
export function Form({
  label,
  busy,
  error,
  onSubmit,
  onCancel,
  children,
}: {
  label: string;
  busy: boolean;
  error: string | null;
  onSubmit: () => void;
  onCancel: () => void;
  children: React.ReactNode;
}) {
  return (
    <form
      aria-label={label}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <Refusal error={error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={busy}>
          {busy ? "Saving…" : "Save"}
        </Button>
      </div>
    </form>
  );
}

/** Removes something after a second press. */
export function RemoveButton({ what, action }: { what: string; action: () => Promise<ActionResult<null>> }) {
  const { busy, error, run } = useAction();
  const [sure, setSure] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant={sure ? "danger" : "ghost"}
        disabled={busy}
        aria-label={sure ? `Really remove ${what}` : `Remove ${what}`}
        onBlur={() => setSure(false)}
        onClick={() => (sure ? run(action, () => setSure(false)) : setSure(true))}
      >
        {sure ? "Really remove" : "Remove"}
      </Button>
      <Refusal error={error} />
    </>
  );
}

/** An optional number of a form: undefined for an empty text, NaN for what is none. */
export const numberOf = (text: string): number | undefined => (text.trim() === "" ? undefined : Number(text));

/** The text of an optional number. */
export const textOf = (n: number | null | undefined): string => (n === null || n === undefined ? "" : String(n));
