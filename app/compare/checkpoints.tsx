"use client";
import { ArrowUp, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const ADD = "add";

/** The checkpoints of a measurement, in order: the first is what the others are compared with. */
export function Checkpoints({
  policies,
  chosen,
  onChosen,
  elsewhere,
}: {
  /** What can be measured here. */
  policies: string[];
  chosen: string[];
  onChosen: (chosen: string[]) => void;
  /** Checkpoints that the index knows but whose weights are not here. */
  elsewhere: number;
}) {
  const rest = policies.filter((p) => !chosen.includes(p));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-sm text-muted">Checkpoints, in order; the first is the base</legend>
      <ol aria-label="Chosen checkpoints" className="flex flex-col gap-1">
        {chosen.map((policy, at) => (
          <li key={policy} className="flex items-center gap-1.5 text-sm">
            <span className="w-9 shrink-0 text-xs text-muted">{at === 0 ? "base" : at + 1}</span>
            <span className="foreign min-w-0 flex-1 truncate">{visible(policy)}</span>
            <Button
              size="icon-sm"
              variant="ghost"
              disabled={at === 0}
              aria-label={`Move ${visible(policy)} up`}
              onClick={() => onChosen(chosen.with(at - 1, policy).with(at, chosen[at - 1] as string))}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              size="icon-sm"
              variant="ghost"
              aria-label={`Leave out ${visible(policy)}`}
              onClick={() => onChosen(chosen.filter((p) => p !== policy))}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      {rest.length > 0 ? (
        <Select
          label="Add a checkpoint"
          value={ADD}
          onValueChange={(policy) => policy !== ADD && onChosen([...chosen, policy])}
          options={[
            { value: ADD, label: "Add a checkpoint…" },
            ...rest.map((value) => ({ value, label: visible(value) })),
          ]}
          className="self-start text-text"
        />
      ) : null}
      {elsewhere > 0 ? (
        <p className="text-xs text-muted">
          {plural(elsewhere, "more checkpoint has", "more checkpoints have")} no weights on this machine: a loaded study
          brings those that it chose, others lie where their trainings ran. Copy a folder into{" "}
          <code className="font-mono">checkpoints</code> of the home folder, or repeat its training, to measure it.
        </p>
      ) : null}
    </fieldset>
  );
}
