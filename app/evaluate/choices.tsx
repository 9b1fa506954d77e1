"use client";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { Select } from "@/components/ui/select";
import { evaluateParams } from "./search-params";

const ANY = "-";
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** What is drawn, of what, how far: in the address. */
export function Choices({
  sets,
  set,
  everyone,
  k,
  most,
  benchmarks,
}: {
  sets: { key: string; label: string }[];
  set: string | null;
  /** Models of the set. */
  everyone: string[];
  /** In force. */
  k: number;
  /** Most attempts of a task. */
  most: number;
  benchmarks: { value: string; label: string }[];
}) {
  const [busy, startTransition] = useTransition();
  const [values, setValues] = useQueryStates(evaluateParams, { shallow: false, startTransition });
  const chosen = values.model && values.model.length > 0 ? values.model : everyone;
  const choice = (
    label: string,
    value: string,
    options: { value: string; label: string }[],
    onValue: (v: string) => void,
  ) => (
    <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
      {label}
      <Select label={label} value={value} options={options} onValueChange={onValue} className="text-text" />
    </div>
  );
  const toggle = (name: string, on: boolean) => {
    const next = on ? [...chosen, name] : chosen.filter((n) => n !== name);
    setValues({ model: next.length === 0 || next.length === everyone.length ? null : next });
  };
  return (
    <div className="flex flex-col gap-3 print:hidden" aria-busy={busy}>
      <div className="flex flex-wrap items-end gap-3">
        {set === null
          ? null
          : choice(
              "Task scores of",
              set,
              sets.map((s) => ({ value: s.key, label: s.label })),
              (v) => setValues({ set: v, model: null, k: null, runs: null }),
            )}
        {set === null
          ? null
          : choice(
              "A rollout is worth",
              values.metric,
              [
                { value: "solved", label: "1 when solved, else 0" },
                { value: "reward", label: "its reward (partial credit)" },
              ],
              (v) => setValues({ metric: v === "reward" ? "reward" : null }),
            )}
        {set === null
          ? null
          : choice(
              "pass@k up to",
              String(k),
              upTo(most).map((n) => ({ value: String(n), label: String(n) })),
              (v) => setValues({ k: Number(v) }),
            )}
        {set === null
          ? null
          : choice(
              "Rollouts of a task",
              values.runs === null ? ANY : String(values.runs),
              [
                { value: ANY, label: "all" },
                ...upTo(Math.max(most, values.runs ?? 0)).map((n) => ({ value: String(n), label: `first ${n}` })),
              ],
              (v) => setValues({ runs: v === ANY ? null : Number(v), k: null }),
            )}
        {set === null
          ? null
          : choice(
              "Void rollouts",
              values.voids,
              [
                { value: "apart", label: "apart, in no score" },
                { value: "zero", label: "count as 0" },
              ],
              (v) => setValues({ voids: v === "zero" ? "zero" : null, k: null }),
            )}
        {choice("Beside the paper", values.paper ?? ANY, [{ value: ANY, label: "no" }, ...benchmarks], (v) =>
          setValues({ paper: v === "tb_lite" || v === "tb_2_1" ? v : null }),
        )}
      </div>
      {everyone.length < 2 ? null : (
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          <legend className="mb-1 text-muted">Models; the first is what others are compared with</legend>
          {everyone.map((name) => (
            <div key={name} className="flex items-center gap-1.5">
              <Checkbox
                id={`model-${name}`}
                checked={chosen.includes(name)}
                onCheckedChange={(on) => toggle(name, on === true)}
              />
              <label htmlFor={`model-${name}`} className="foreign">
                {name}
              </label>
            </div>
          ))}
        </fieldset>
      )}
    </div>
  );
}
