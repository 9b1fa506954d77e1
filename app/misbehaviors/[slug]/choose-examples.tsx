"use client";
import { useRouter } from "next/navigation";
import { createContext, useContext, useState, useTransition } from "react";
import { editTaxonomyAction } from "@/app/misbehaviors/actions";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { plural } from "@/lib/text/format";

interface Choice {
  steps: readonly number[];
  toggle(step: number, on: boolean): void;
}
const Context = createContext<Choice | null>(null);

/** Lets a person choose steps of the list below as the type's examples, which makes the next version. */
export function ChooseExamples({
  taxonomy,
  slug,
  chosen,
  children,
}: {
  taxonomy: { id: number; version: number };
  slug: string;
  /** Examples stored now. */
  chosen: number[];
  children: React.ReactNode;
}) {
  const router = useRouter();
  const [steps, setSteps] = useState<number[]>(chosen);
  const [busy, startTransition] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const changed = steps.join() !== chosen.join();
  const save = () =>
    startTransition(async () => {
      try {
        const result = await editTaxonomyAction({
          taxonomyId: taxonomy.id,
          operations: [{ kind: "examples", type: slug, steps }],
          note: null,
        });
        if (result.ok) router.push(`/misbehaviors/${slug}?taxonomy=${result.value.taxonomyId}`);
        else setError(result.error);
      } catch (error) {
        setError(unreached(error));
      }
    });
  return (
    <Context.Provider
      value={{ steps, toggle: (step, on) => setSteps(on ? [...steps, step] : steps.filter((s) => s !== step)) }}
    >
      <div className="flex min-w-0 flex-col gap-2">
        {changed || error ? (
          <div className="flex flex-wrap items-center gap-2 rounded-lg border border-accent/60 bg-surface p-2 text-sm">
            <span className="mr-auto">
              {steps.length === 0
                ? "No example: the shortest steps are shown."
                : `${plural(steps.length, "step")} chosen as examples.`}
            </span>
            <Button size="sm" variant="ghost" onClick={() => setSteps(chosen)}>
              Back to those stored
            </Button>
            <Button size="sm" variant="primary" onClick={save} disabled={busy}>
              {busy ? "Making…" : `Make version ${taxonomy.version + 1}`}
            </Button>
            {error ? (
              <span role="alert" className="foreign w-full text-bad">
                {error}
              </span>
            ) : null}
          </div>
        ) : null}
        {children}
      </div>
    </Context.Provider>
  );
}

/** Marks one step as an example; nothing where examples cannot be chosen. */
export function ExampleCheck({ step }: { step: number }) {
  const choice = useContext(Context);
  if (choice === null) return null;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className="flex items-center gap-1.5 text-xs text-muted">
      <Checkbox checked={choice.steps.includes(step)} onCheckedChange={(on) => choice.toggle(step, on === true)} />
      example
    </label>
  );
}
