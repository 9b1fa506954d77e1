"use client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import type { DraftType } from "@/lib/taxonomy/edit/operations";
import { Labelled, TextArea } from "./labels-form";

export type Verb = "rename" | "redefine" | "merge" | "split" | "retire" | "restore";

interface Part {
  name: string;
  definition: string;
  excludes: string;
}

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const asPart = (p: Part) => ({ name: p.name, definition: p.definition, excludes: lines(p.excludes) });

/** The fields of one edit. What it makes is checked by whoever gets it. */
export function EditForm({
  verb,
  types,
  onAdd,
  onCancel,
}: {
  verb: Verb;
  types: DraftType[];
  onAdd: (operation: unknown) => void;
  onCancel: () => void;
}) {
  const first = types[0];
  const all = [...new Set(types.flatMap((t) => t.excludes))].join("\n");
  const [parts, setParts] = useState<Part[]>(() => {
    const own = { name: first?.name ?? "", definition: first?.definition ?? "", excludes: all };
    return verb === "split" ? [own, { name: "", definition: "", excludes: "" }] : [own];
  });
  const set = (i: number, change: Partial<Part>) =>
    setParts(parts.map((p, at) => (at === i ? { ...p, ...change } : p)));
  const own = parts[0];
  const send = () => {
    if (!first || !own) return;
    const { name, definition, excludes } = asPart(own);
    if (verb === "rename") onAdd({ kind: verb, type: first.slug, name });
    if (verb === "redefine") onAdd({ kind: verb, type: first.slug, definition, excludes });
    if (verb === "merge") onAdd({ kind: verb, types: types.map((t) => t.slug), name, definition, excludes });
    if (verb === "split") onAdd({ kind: verb, type: first.slug, into: parts.map(asPart) });
  };
  return (
    <form
      aria-label={`${verb} types`}
      className="flex flex-col gap-3 rounded-md border bg-bg p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {parts.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added at the end.
        <fieldset key={i} className="flex min-w-0 flex-col gap-2">
          {verb === "split" ? <legend className="text-sm font-medium">Part {i + 1}</legend> : null}
          {verb === "redefine" ? null : (
            <Labelled label="Name (two to five words, no tool or file in it)">
              <Input
                value={part.name}
                required
                maxLength={120}
                autoFocus={i === 0}
                onChange={(event) => set(i, { name: event.target.value })}
                className="text-text"
              />
            </Labelled>
          )}
          {verb === "rename" ? null : (
            <>
              <Labelled label="Definition (to be answered with yes or no on one step alone)">
                <TextArea
                  value={part.definition}
                  required
                  maxLength={4000}
                  onChange={(event) => set(i, { definition: event.target.value })}
                />
              </Labelled>
              <Labelled label="Is not (one a line)">
                <TextArea
                  value={part.excludes}
                  rows={2}
                  onChange={(event) => set(i, { excludes: event.target.value })}
                />
              </Labelled>
            </>
          )}
        </fieldset>
      ))}
      {verb === "redefine" || verb === "split" ? (
        <p className="text-xs text-muted">
          Labels are carried and listed as waiting for a relabel. The rules looked for the old definition, so they stop
          labelling
          {verb === "split" ? " these types" : " this type"}.
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="sm">
          Add to the draft
        </Button>
        {verb === "split" ? (
          <Button size="sm" onClick={() => setParts([...parts, { name: "", definition: "", excludes: "" }])}>
            <Plus aria-hidden /> Another part
          </Button>
        ) : null}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
