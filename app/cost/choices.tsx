"use client";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Select } from "@/components/ui/select";
import { RESOURCE_NAMES, RESOURCES, type Resource } from "@/lib/evaluate/cost/resources";
import { costParams } from "./search-params";

const AMOUNTS = "-";

/** Which trainings, which resource, against which one: in the address. */
export function Choices({ trainings }: { trainings: { id: number; name: string }[] }) {
  const [busy, startTransition] = useTransition();
  const [values, setValues] = useQueryStates(costParams, { shallow: false, startTransition });
  const chosen = values.training && values.training.length > 0 ? values.training : trainings.map((t) => t.id);
  return (
    <div className="flex flex-col gap-3 print:hidden" aria-busy={busy}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
          Resource
          <Select
            label="Resource"
            value={values.resource}
            options={RESOURCES.map((r) => ({ value: r, label: RESOURCE_NAMES[r].name }))}
            onValueChange={(v) => setValues({ resource: v as Resource })}
            className="text-text"
          />
        </div>
        <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
          Shown as
          <Select
            label="Shown as"
            value={values.against === null ? AMOUNTS : String(values.against)}
            options={[
              { value: AMOUNTS, label: "amounts" },
              ...trainings.map((t) => ({ value: String(t.id), label: `change against ${t.name}` })),
            ]}
            onValueChange={(v) => setValues({ against: v === AMOUNTS ? null : Number(v) })}
            className="text-text"
          />
        </div>
        <div className="flex items-center gap-2 pb-1.5 text-sm">
          <Checkbox
            id="cost-paper"
            checked={values.paper}
            onCheckedChange={(on) => setValues({ paper: on === true ? true : null })}
          />
          <label htmlFor="cost-paper">Published beside</label>
        </div>
      </div>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="mb-1 text-sm text-muted">Trainings</legend>
        {trainings.map(({ id, name }) => (
          <div key={id} className="flex items-center gap-1.5 text-sm">
            <Checkbox
              id={`training-${id}`}
              checked={chosen.includes(id)}
              onCheckedChange={(on) => {
                const next = on === true ? [...chosen, id] : chosen.filter((c) => c !== id);
                setValues({ training: next.length === 0 || next.length === trainings.length ? null : next });
              }}
            />
            <label htmlFor={`training-${id}`}>{name}</label>
          </div>
        ))}
      </fieldset>
    </div>
  );
}
