"use client";
import { useRouter } from "next/navigation";
import { useEffect, useId, useRef, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { QueuePlan } from "@/lib/review/queue/create";
import { QUESTION_NAMES, QUESTIONS, type Question } from "@/lib/review/types";
import { visible } from "@/lib/text/glyphs";
import { createQueueAction, planQueueAction } from "./actions";
import { LISTS, type ListName } from "./lists";
import { Plan } from "./plan";
import { type Fields, SOURCES, STRATEGIES, wantedOf, whole } from "./queue-fields";

/** What a queue can be made over. */
export interface CreateChoices {
  versions: { id: number; name: string; version: number; inForce: boolean }[];
  measurements: { id: number; name: string }[];
  people: number;
}

/** The fields of a new queue, with a count that follows them. */
export function QueueForm({
  choices,
  first,
}: {
  choices: CreateChoices;
  first: Pick<Fields, "list" | "query" | "question" | "evaluationId">;
}) {
  const id = useId();
  const router = useRouter();
  const [f, setF] = useState<Fields>({
    ...{ name: "", steps: "flagged", ids: "", taxonomyId: choices.versions.find((v) => v.inForce)?.id ?? null },
    ...{
      strategy: "random",
      n: "100",
      seed: "1",
      reserve: "20",
      raters: choices.people > 1 ? "2" : "1",
      guideline: "",
      gold: "0",
      catches: "0",
    },
    ...{ blindToOthers: true, blindToModel: true, reason: "optional", lease: "15", norming: false },
    ...first,
  });
  const set = <K extends keyof Fields>(key: K, value: Fields[K]) => setF((before) => ({ ...before, [key]: value }));
  const [plan, setPlan] = useState<QueuePlan | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, start] = useTransition();
  const asked = useRef(0);
  // The count follows the fields; the name and the texts change nothing in it.
  const counted = JSON.stringify(wantedOf({ ...f, name: "count", guideline: "" }));
  useEffect(() => {
    const turn = ++asked.current;
    const timer = setTimeout(async () => {
      try {
        const result = await planQueueAction(JSON.parse(counted));
        if (turn !== asked.current) return;
        setPlan(result.ok ? result.value : null);
        setError(result.ok ? null : result.error);
      } catch {
        if (turn === asked.current) setError("The server did not answer; the items are not counted.");
      }
    }, 300);
    return () => clearTimeout(timer);
  }, [counted]);
  const create = () =>
    start(async () => {
      try {
        const result = await createQueueAction(wantedOf(f));
        if (!result.ok) return setError(result.error);
        router.push(`/review/${result.value.queueId}`);
      } catch {
        setError("The server did not answer. Look in the list whether the queue was made.");
      }
    });
  const number = (
    key: "n" | "seed" | "reserve" | "raters" | "gold" | "catches" | "lease",
    label: string,
    min: number,
    max: number,
  ) => (
    <label htmlFor={`${id}-${key}`} className="flex flex-col gap-1 text-sm">
      {label}
      <Input
        id={`${id}-${key}`}
        type="number"
        required
        min={min}
        max={max}
        value={f[key]}
        onChange={(e) => set(key, e.target.value)}
      />
    </label>
  );
  const check = (key: "blindToOthers" | "blindToModel" | "norming", label: string) => (
    <div className="flex items-center gap-2 text-sm">
      <Checkbox id={`${id}-${key}`} checked={f[key]} onCheckedChange={(on) => set(key, on === true)} />
      <label htmlFor={`${id}-${key}`}>{label}</label>
    </div>
  );
  const strategy = STRATEGIES.find((s) => s.value === f.strategy);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <label htmlFor={`${id}-name`} className="flex flex-col gap-1 text-sm">
          Name
          <Input
            id={`${id}-name`}
            required
            maxLength={120}
            value={f.name}
            onChange={(e) => set("name", e.target.value)}
          />
        </label>
        <div className="flex flex-col gap-1 text-sm">
          Question
          <Select
            label="Question"
            value={f.question}
            onValueChange={(v) => set("question", v as Question)}
            options={QUESTIONS.map((q) => ({ value: q, label: QUESTION_NAMES[q] }))}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-1 text-sm">
          From
          <Select
            label="From"
            value={f.list}
            onValueChange={(v) => set("list", v as ListName)}
            options={LISTS.map((l) => ({ value: l, label: SOURCES[l] }))}
          />
          {f.list === "ids" ? (
            <Input
              aria-label="Ids"
              placeholder={
                f.question === "window"
                  ? "ids of samples"
                  : f.question === "prefix"
                    ? "ids of prefixes"
                    : "ids of steps"
              }
              value={f.ids}
              onChange={(e) => set("ids", e.target.value)}
            />
          ) : (
            <span className="foreign text-xs break-all text-muted">
              {f.query === "" ? "all of them" : visible(decodeURIComponent(f.query.replaceAll("+", " ")))}
            </span>
          )}
        </div>
        {f.question === "wrong" || f.question === "types" ? (
          <div className="flex flex-col gap-1 text-sm">
            Steps
            <Select
              label="Steps"
              value={f.steps}
              onValueChange={(v) => set("steps", v as "flagged" | "all")}
              options={[
                { value: "flagged", label: "Flagged by a localizer" },
                { value: "all", label: "All steps (shows what localizers miss)" },
              ]}
            />
            {f.steps === "flagged" ? (
              <span className="text-xs text-muted">tells precision; recall stays unknown</span>
            ) : null}
          </div>
        ) : null}
        {f.question === "types" ? (
          <div className="flex flex-col gap-1 text-sm">
            Types of
            <Select
              label="Taxonomy"
              value={String(f.taxonomyId ?? "")}
              onValueChange={(v) => set("taxonomyId", Number(v))}
              options={choices.versions.map((v) => ({
                value: String(v.id),
                label: `${visible(v.name)} ${v.version}${v.inForce ? " (in force)" : ""}`,
              }))}
            />
          </div>
        ) : null}
        {f.question === "window" ? (
          <div className="flex flex-col gap-1 text-sm">
            Measurement
            {choices.measurements.length === 0 ? (
              <span className="text-muted">There is none yet; measure misbehavior rates first.</span>
            ) : (
              <Select
                label="Measurement"
                value={String(f.evaluationId ?? "")}
                onValueChange={(v) => set("evaluationId", Number(v))}
                options={choices.measurements.map((m) => ({ value: String(m.id), label: visible(m.name) }))}
              />
            )}
          </div>
        ) : null}
        <div className="flex flex-col gap-1 text-sm">
          Drawn
          <Select
            label="Drawn"
            value={f.strategy}
            onValueChange={(v) => set("strategy", v as Fields["strategy"])}
            options={STRATEGIES.map(({ value, label }) => ({ value, label }))}
          />
          <span className="text-xs text-muted">{strategy?.note}</span>
        </div>
      </div>
      <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-4">
        {f.strategy === "all" ? null : number("n", "Items", 1, 100_000)}
        {number("seed", "Seed", 0, 2 ** 31 - 1)}
        {f.strategy === "all" || f.strategy === "random" ? null : number("reserve", "Of them at random, %", 0, 100)}
        {number("raters", "Annotators an item", 1, 50)}
        {number("gold", "Gold items (settled)", 0, 1000)}
        {f.question === "wrong" || f.question === "types" ? number("catches", "Catch items", 0, 1000) : null}
        {number("lease", "Lease, minutes", 1, 240)}
      </div>
      <label htmlFor={`${id}-guide`} className="flex flex-col gap-1 text-sm">
        Guideline
        <textarea
          id={`${id}-guide`}
          rows={4}
          maxLength={50_000}
          value={f.guideline}
          onChange={(e) => set("guideline", e.target.value)}
          placeholder="What annotators should look at, and what decides a doubtful case"
          className="w-full rounded-md border border-line-strong bg-surface px-2.5 py-1.5 text-sm placeholder:text-muted"
        />
      </label>
      <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
        <legend className="sr-only">Rules</legend>
        {check("blindToOthers", "Blind to other annotators")}
        {check("blindToModel", "Blind to localizers and judges")}
        {check("norming", "Norming: all answer, see, answer again")}
        <div className="flex items-center gap-2 text-sm">
          <Checkbox
            id={`${id}-reason`}
            checked={f.reason === "first"}
            onCheckedChange={(on) => set("reason", on === true ? "first" : "optional")}
          />
          <label htmlFor={`${id}-reason`}>Ask for a reason first</label>
        </div>
      </fieldset>
      <Plan plan={plan} people={choices.people} raters={whole(f.raters, 1)} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" disabled={busy || plan === null || plan.items === 0}>
          Make the queue
        </Button>
        <p aria-live="polite" className="foreign min-w-0 flex-1 text-sm text-bad">
          {error}
        </p>
      </div>
    </form>
  );
}
