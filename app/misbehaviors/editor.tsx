"use client";
import { Check, Undo2 } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useMemo, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { TypeRow } from "@/db/queries/taxonomies";
import { draftOf, edited, inWords } from "@/lib/taxonomy/edit/draft";
import { type DraftType, EditRefused, type Operation, operationSchema } from "@/lib/taxonomy/edit/operations";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { editTaxonomyAction } from "./actions";
import { EditForm, type Verb } from "./edit-form";
import { Labelled } from "./labels-form";

const STATUS = { kept: "misbehavior", tail: "long tail", retired: "retired" } as const;

/** The draft after all edits; edits are checked as they are added, so this does not fail. */
const drafted = (types: TypeRow[], operations: readonly Operation[]): DraftType[] =>
  operations.reduce<DraftType[]>((draft, op) => edited(draft, op), draftOf(types));

/** Which verbs go with what is selected. */
function verbsFor(selected: DraftType[]): Verb[] {
  if (selected.some((t) => t.status === "retired")) return selected.length === 1 ? ["restore"] : [];
  if (selected.length > 1) return ["merge"];
  const one = selected[0];
  if (!one) return [];
  return ["rename", "redefine", "split", ...(one.status === "tail" ? (["restore"] as const) : []), "retire"];
}

/**
 * Edits of a version's types, collected as a draft that is shown as it will be, and made into one new version by one
 * press. Nothing is stored before that.
 */
export function Editor({
  taxonomy,
  types,
  done,
}: {
  taxonomy: { id: number; name: string; version: number };
  types: TypeRow[];
  done: string;
}) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [operations, setOperations] = useState<Operation[]>([]);
  const [selected, setSelected] = useState<string[]>([]);
  const [verb, setVerb] = useState<Verb | null>(null);
  const [note, setNote] = useState("");
  const [error, setError] = useState<string | null>(null);
  const draft = useMemo(() => drafted(types, operations), [types, operations]);
  const chosen = draft.filter((t) => selected.includes(t.slug));
  const counts = useMemo(() => new Map(types.map((t) => [t.id, t.errorSteps])), [types]);
  const forget = () => {
    setSelected([]);
    setVerb(null);
    setError(null);
  };
  const add = (given: unknown) => {
    const parsed = operationSchema.safeParse(given);
    if (!parsed.success) {
      setError(parsed.error.issues[0]?.message ?? "this edit cannot be read");
      return;
    }
    try {
      edited(draft, parsed.data);
    } catch (refusal) {
      if (!(refusal instanceof EditRefused)) throw refusal;
      setError(refusal.message);
      return;
    }
    setOperations([...operations, parsed.data]);
    forget();
  };
  const press = (pressed: Verb) => {
    setError(null);
    const type = chosen[0]?.slug;
    if (pressed === "retire" || pressed === "restore") add({ kind: pressed, type });
    else setVerb(pressed);
  };
  const save = () =>
    startTransition(async () => {
      try {
        const result = await editTaxonomyAction({ taxonomyId: taxonomy.id, operations, note });
        if (result.ok) router.push(`/misbehaviors/versions/${result.value.taxonomyId}`);
        else setError(result.error);
      } catch (error) {
        setError(unreached(error));
      }
    });
  return (
    <section
      aria-label="Edit the types"
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-accent/60 bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto font-medium">
          Edit the types of <span className="foreign">{visible(taxonomy.name)}</span> {taxonomy.version}{" "}
          <span className="text-sm font-normal text-muted">
            {chosen.length === 0
              ? "select a type, or two and more to merge them"
              : `${plural(chosen.length, "type")} selected`}
          </span>
        </h2>
        {verbsFor(chosen).map((one) => (
          <Button
            key={one}
            size="sm"
            variant={one === "retire" ? "danger" : "outline"}
            onClick={() => press(one)}
            aria-pressed={verb === one}
          >
            {
              {
                rename: "Rename",
                redefine: "Redefine",
                merge: "Merge",
                split: "Split",
                retire: "Retire",
                restore: "Restore",
              }[one]
            }
          </Button>
        ))}
        <Button asChild size="sm" variant="ghost">
          <Link href={done}>Leave without a new version</Link>
        </Button>
      </div>
      {verb && chosen[0] ? (
        <EditForm
          key={`${verb} ${selected.join(" ")}`}
          verb={verb}
          types={chosen}
          onAdd={add}
          onCancel={() => setVerb(null)}
        />
      ) : null}
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {error}
        </p>
      ) : null}
      <TableFrame label="Types to edit">
        <thead>
          <tr>
            <Th className="w-8">
              <span className="sr-only">Selected</span>
            </Th>
            <Th>Type</Th>
            <Th>State</Th>
            <Th className="text-right">Error steps now</Th>
            <Th>Definition</Th>
          </tr>
        </thead>
        <tbody>
          {draft.map((t) => {
            const now = t.lineage.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
            return (
              <tr key={t.slug} className={selected.includes(t.slug) ? "bg-accent-soft" : "hover:bg-raised/60"}>
                <Td>
                  <Checkbox
                    aria-label={`Select ${t.name}`}
                    checked={selected.includes(t.slug)}
                    onCheckedChange={(on) => {
                      setVerb(null);
                      setSelected(on === true ? [...selected, t.slug] : selected.filter((slug) => slug !== t.slug));
                    }}
                  />
                </Td>
                <Td className="foreign min-w-44">{visible(t.name)}</Td>
                <Td className="whitespace-nowrap">
                  {STATUS[t.status]} {t.stale ? <Badge tone="warn">to relabel</Badge> : null}
                </Td>
                <Td
                  className="text-right"
                  title={
                    t.lineage.length > 1
                      ? "sum of the types it is merged from; a step with several of them counts once"
                      : undefined
                  }
                >
                  {t.lineage.length > 1 ? "≤ " : ""}
                  {formatCount(now)}
                </Td>
                <Td className="foreign min-w-64 text-muted">{visible(t.definition)}</Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
      {operations.length > 0 ? (
        <div className="flex flex-col gap-2">
          <h3 className="text-sm font-medium">Version {taxonomy.version + 1} will</h3>
          <ol className="list-decimal pl-5 text-sm">
            {operations.map((op, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: edits are only added and taken back at the end.
              <li key={i} className="foreign">
                {visible(inWords(op))}
              </li>
            ))}
          </ol>
          <div className="flex flex-wrap items-end gap-2">
            <Labelled label="Why (kept with the version)" className="min-w-56 flex-1">
              <Input
                value={note}
                maxLength={2000}
                onChange={(event) => setNote(event.target.value)}
                className="text-text"
              />
            </Labelled>
            <Button
              onClick={() => {
                setOperations(operations.slice(0, -1));
                forget();
              }}
            >
              <Undo2 aria-hidden /> Take back the last
            </Button>
            <Button variant="primary" onClick={save} disabled={busy}>
              <Check aria-hidden /> {busy ? "Making…" : `Make version ${taxonomy.version + 1}`}
            </Button>
          </div>
        </div>
      ) : null}
    </section>
  );
}
