"use client";
import { Download, RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { checkTrainSettings, type SettingIssue, sayIssues } from "@/lib/train/check";
import { differences, valueAt, withValue } from "@/lib/train/differences";
import type { Field } from "@/lib/train/field";
import { FIELD_GROUPS } from "@/lib/train/fields";
import { KIND_STARTS } from "@/lib/train/kindStarts";
import { SettingField } from "./setting-field";

export type Draft = Record<string, unknown>;

const said = (field: Field, value: unknown): string => {
  if (value === undefined || value === null) return "empty";
  if (field.input.kind === "choice") return field.input.options.find((o) => o.value === value)?.label ?? String(value);
  if (typeof value === "object") return JSON.stringify(value);
  return value === true ? "on" : value === false ? "off" : String(value);
};

const shownOf = (draft: Draft, { when }: Field): boolean =>
  when === undefined || when.is.includes(String(valueAt(draft, when.path)));

/** A setting under another kind than the recipe's has nothing to be compared with. */
const comparable = (draft: Draft, recipe: Draft, { when }: Field): boolean =>
  when === undefined || valueAt(draft, when.path) === valueAt(recipe, when.path);

function Json({ draft, name, onDraft }: { draft: Draft; name: string; onDraft: (draft: Draft) => void }) {
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const own = JSON.stringify(draft, null, 2);
  const use = () => {
    try {
      const value: unknown = JSON.parse(text ?? own);
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("it is no JSON object");
      const whole = { ...draft, ...value };
      const checked = checkTrainSettings(whole);
      onDraft(checked.ok ? { ...checked.settings } : whole);
      setText(null);
      setError(null);
    } catch (cause) {
      setError(`This cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`);
    }
  };
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${own}\n`], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `${name.replace(/[^\w.+-]/g, "_") || "settings"}.json`;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        The same settings as a file: what <code>misstep train --settings</code> takes. Paste here what differs, or all.
      </label>
      <textarea
        id={id}
        value={text ?? own}
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
        rows={18}
        className="w-full rounded-md border border-line-strong bg-surface p-2 font-mono text-xs"
      />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={use} disabled={text === null}>
          Use this
        </Button>
        <Button size="sm" variant="ghost" onClick={() => setText(null)} disabled={text === null}>
          Discard
        </Button>
        <Button size="sm" variant="ghost" onClick={download}>
          <Download aria-hidden /> JSON
        </Button>
      </div>
      {error === null ? null : (
        <p role="alert" className="foreign text-sm text-bad">
          {visible(error)}
        </p>
      )}
    </div>
  );
}

/** Every setting of a training, with what differs from the recipe it was filled from. */
export function OwnSettings({
  recipe,
  draft,
  issues,
  onDraft,
}: {
  /** Settings of the recipe that was picked. */
  recipe: Draft;
  draft: Draft;
  issues: readonly SettingIssue[];
  onDraft: (draft: Draft) => void;
}) {
  const [asJson, setAsJson] = useState(false);
  const changes = differences({ ...recipe, recipe: "" }, { ...draft, recipe: "" });
  const fields = FIELD_GROUPS.flatMap((group) => group.fields);
  const placeOf = (path: string) =>
    fields.find((f) => (path === f.path || path.startsWith(`${f.path}.`)) && shownOf(draft, f))?.path;
  const elsewhere = issues.filter(({ path }) => placeOf(path) === undefined);
  const set = (path: string, value: unknown) => {
    const kinds = KIND_STARTS[path];
    if (!kinds) return onDraft(withValue(draft, path, value));
    const [root = ""] = path.split(".");
    const same = valueAt(recipe, path) === value;
    const next = same ? recipe[root] : kinds[String(value)];
    // Which prefixes were chosen outlasts how rollouts start at them.
    const prefixes = valueAt(draft, "start.prefixes");
    const keeps = root === "start" && prefixes !== undefined && valueAt(next, "prefixes") !== undefined;
    return onDraft(withValue(draft, root, keeps ? withValue(next, "prefixes", prefixes) : next));
  };
  return (
    <section aria-label="Own settings" className="flex flex-col gap-3 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <h3 className="font-medium">Own settings</h3>
        <span className="text-muted">
          {changes.length === 0 ? "as in the recipe" : `${plural(changes.length, "difference")} from the recipe`}
        </span>
        <span className="flex-1" />
        <Button size="sm" variant="ghost" disabled={changes.length === 0} onClick={() => onDraft({ ...recipe })}>
          <RotateCcw aria-hidden /> Reset all
        </Button>
        <Button size="sm" variant="ghost" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          {asJson ? "As a form" : "As JSON"}
        </Button>
      </div>
      {asJson ? <Json draft={draft} name={String(draft.recipe ?? "settings")} onDraft={onDraft} /> : null}
      {asJson
        ? null
        : FIELD_GROUPS.map((group) => (
            <fieldset key={group.title} className="flex flex-col">
              <legend className="mb-1.5 text-sm text-muted">{group.title}</legend>
              <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
                {group.fields
                  .filter((field) => shownOf(draft, field))
                  .map((field) => {
                    const value = valueAt(draft, field.path);
                    const before = valueAt(recipe, field.path);
                    const differs =
                      comparable(draft, recipe, field) && JSON.stringify(value) !== JSON.stringify(before);
                    return (
                      <SettingField
                        key={field.path}
                        field={field}
                        value={value}
                        changed={differs ? said(field, before) : null}
                        issue={issues.find((issue) => placeOf(issue.path) === field.path)?.message ?? null}
                        onValue={(next) => set(field.path, next)}
                        onReset={() => set(field.path, before)}
                      />
                    );
                  })}
              </div>
            </fieldset>
          ))}
      {elsewhere.length === 0 && !(asJson && issues.length > 0) ? null : (
        <p role="alert" className="foreign text-sm text-bad">
          {visible(sayIssues(asJson ? issues : elsewhere))}
        </p>
      )}
    </section>
  );
}
