"use client";
import { ChevronDown } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useId, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Select } from "@/components/ui/select";
import { METHOD_NAMES, SHOWN_NAMES, SHOWN_RATES } from "@/lib/evaluate/behavior/view";
import { INTERVAL_METHODS } from "@/lib/evaluate/stats/bootstrap";
import { visible } from "@/lib/text/glyphs";
import { measureParams } from "./search-params";

interface Named {
  value: string;
  label: string;
}

/** Some of several, none ticked means all. */
function Several({
  label,
  options,
  chosen,
  onChosen,
}: {
  label: string;
  options: Named[];
  chosen: string[];
  onChosen: (values: string[]) => void;
}) {
  const id = useId();
  const how = chosen.length === 0 ? `all ${options.length}` : `${chosen.length} of ${options.length}`;
  return (
    <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
      {label}
      <Popover>
        <PopoverTrigger asChild>
          <Button aria-label={`${label}: ${how}`} className="justify-start text-text">
            {how}
            <ChevronDown aria-hidden className="text-muted" />
          </Button>
        </PopoverTrigger>
        <PopoverContent>
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1 text-xs text-muted">None ticked: all</legend>
            {options.map(({ value, label: text }) => (
              <div key={value} className="flex items-start gap-2">
                <Checkbox
                  id={`${id}-${value}`}
                  checked={chosen.includes(value)}
                  aria-label={visible(text)}
                  className="mt-0.5"
                  onCheckedChange={(on) =>
                    onChosen(
                      options.map((o) => o.value).filter((v) => (v === value ? on === true : chosen.includes(v))),
                    )
                  }
                />
                <label htmlFor={`${id}-${value}`} className="foreign min-w-0">
                  {visible(text)}
                </label>
              </div>
            ))}
          </fieldset>
        </PopoverContent>
      </Popover>
    </div>
  );
}

/** What is drawn and how: in the address. */
export function Choices({
  judges,
  checkpoints,
  misbehaviors,
  labelled,
}: {
  judges: string[];
  checkpoints: { id: number; name: string }[];
  misbehaviors: { slug: string; name: string }[];
  /** Some window has a label of people, so that rates can be corrected. */
  labelled: boolean;
}) {
  const besideId = useId();
  const [busy, startTransition] = useTransition();
  const { judge, checkpoint, misbehavior, interval, rate, paper } = measureParams;
  const [values, set] = useQueryStates(
    { judge, checkpoint, misbehavior, interval, rate, paper },
    { shallow: false, startTransition },
  );
  return (
    <div className="flex flex-wrap items-end gap-3 print:hidden" aria-busy={busy}>
      <Several
        label="Judges"
        options={judges.map((value) => ({ value, label: value }))}
        chosen={values.judge ?? []}
        onChosen={(v) => set({ judge: v.length === 0 ? null : v })}
      />
      <Several
        label="Checkpoints"
        options={checkpoints.map((c) => ({ value: String(c.id), label: c.name }))}
        chosen={(values.checkpoint ?? []).map(String)}
        onChosen={(v) => set({ checkpoint: v.length === 0 ? null : v.map(Number) })}
      />
      <Several
        label="Misbehaviors"
        options={misbehaviors.map((m) => ({ value: m.slug, label: m.name }))}
        chosen={values.misbehavior ?? []}
        onChosen={(v) => set({ misbehavior: v.length === 0 ? null : v })}
      />
      <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
        Interval
        <Select
          label="Interval"
          value={values.interval}
          options={INTERVAL_METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }))}
          onValueChange={(v) => set({ interval: INTERVAL_METHODS.find((one) => one === v) ?? null })}
          className="text-text"
        />
      </div>
      {labelled ? (
        <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
          Rate
          <Select
            label="Rate"
            value={values.rate}
            options={SHOWN_RATES.map((value) => ({ value, label: SHOWN_NAMES[value] }))}
            onValueChange={(v) => set({ rate: SHOWN_RATES.find((one) => one === v) ?? null })}
            className="text-text"
          />
        </div>
      ) : null}
      <div className="flex min-h-9 items-center gap-2 text-sm">
        <Checkbox
          id={besideId}
          checked={values.paper}
          onCheckedChange={(on) => set({ paper: on === true ? true : null })}
        />
        <label htmlFor={besideId}>Beside the paper</label>
      </div>
    </div>
  );
}
