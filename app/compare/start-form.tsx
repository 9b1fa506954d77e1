"use client";
import { Calculator, Gauge } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useId, useRef, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import type { HeldoutPrefixes } from "@/db/queries/measurements";
import type { DryMeasurement } from "@/lib/jobs/measureJob";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { dryMeasureAction, measureAction, type WantedMeasurement } from "./actions";
import { Checkpoints } from "./checkpoints";
import { Choice } from "./choice";
import { DryRun } from "./dry-run";
import { measurementHref } from "./search-params";

const NUMBERS = [
  { key: "prefixes", label: "Prefixes", about: "held-out prefixes of a misbehavior", value: "20" },
  { key: "fewest", label: "At least", about: "misbehaviors with fewer prefixes are left out, and named", value: "5" },
  { key: "samples", label: "Samples", about: "of each prefix", value: "16" },
  { key: "window", label: "Steps judged", about: "first steps after the prefix that judges read", value: "5" },
  { key: "seed", label: "Seed", about: "everything drawn comes from it", value: "1" },
] as const;
type NumberKey = (typeof NUMBERS)[number]["key"];

const numberOf = (text: string): number => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN);
const toggled = (list: string[], value: string, on: boolean) =>
  on ? [...list, value] : list.filter((one) => one !== value);

/** The rules, and a judge that was learned, where there is one: a claim should hold under two. */
const startJudges = (judges: string[]): string[] => [
  "rules",
  ...judges.filter((judge) => judge.startsWith("learned:")).slice(0, 1),
];

/** Starts a measurement: checkpoints in order, the first is what the others are compared with. */
export function StartForm({
  policies,
  first,
  elsewhere,
  heldout,
  judges,
}: {
  /** What `policySpec` takes. */
  policies: string[];
  /** Those chosen from the start; none: the base. */
  first: string[];
  /** Checkpoints without weights here. */
  elsewhere: number;
  heldout: HeldoutPrefixes[];
  /** What `roleSpec` takes. */
  judges: string[];
}) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [chosen, setChosen] = useState<string[]>(first.length > 0 ? first : policies.slice(0, 1));
  const [slugs, setSlugs] = useState<string[]>([]);
  const [by, setBy] = useState<string[]>(() => startJudges(judges));
  const [numbers, setNumbers] = useState<Record<NumberKey, string>>(
    Object.fromEntries(NUMBERS.map((n) => [n.key, n.value])) as Record<NumberKey, string>,
  );
  const [leaksAllowed, setLeaksAllowed] = useState(false);
  const [outcome, setOutcome] = useState(false);
  const [name, setName] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [dry, setDry] = useState<{ of: string; value: DryMeasurement } | null>(null);
  const wrong = NUMBERS.filter((n) => Number.isNaN(numberOf(numbers[n.key]))).map((n) => n.label);
  const usable = chosen.length > 0 && by.length > 0 && wrong.length === 0;
  const wanted: Omit<WantedMeasurement, "name"> = {
    policies: chosen,
    misbehaviors: slugs,
    judges: by,
    outcome,
    leaksAllowed,
    ...(Object.fromEntries(NUMBERS.map((n) => [n.key, numberOf(numbers[n.key])])) as Record<NumberKey, number>),
  };
  const key = JSON.stringify(wanted);
  const send = (what: "measure" | "dry") => {
    setError(null);
    startTransition(async () => {
      try {
        if (what === "dry") {
          const result = await dryMeasureAction({ ...wanted, name });
          if (result.ok) setDry({ of: key, value: result.value });
          else setError(result.error);
          return;
        }
        const result = await measureAction({ ...wanted, name });
        if (result.ok) router.push(measurementHref({ m: result.value.evaluationId }));
        else setError(result.error);
      } catch (error) {
        setError(unreached(error));
      }
    });
  };
  // Who comes from a training did not choose these numbers: what they come to stands beside them at once.
  const preset = useRef(first.length > 0 && usable);
  useEffect(() => {
    if (preset.current) send("dry");
    preset.current = false;
  });
  return (
    <form
      aria-label="Measure"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send("measure");
      }}
    >
      <div className="grid gap-x-6 gap-y-3 lg:grid-cols-3">
        <Checkpoints policies={policies} chosen={chosen} onChosen={setChosen} elsewhere={elsewhere} />
        <fieldset className="flex min-w-0 flex-col gap-1.5">
          <legend className="mb-1 text-sm text-muted">
            Misbehaviors {slugs.length === 0 ? "(all with enough prefixes)" : `(${slugs.length} chosen)`}
          </legend>
          {heldout.length === 0 ? (
            <p className="text-sm">
              No kept held-out prefix yet: profile held-out environments (
              <code className="font-mono text-xs">misstep profile --part heldout</code>), then{" "}
              <Link href="/prefixes" className="text-accent hover:underline">
                draw prefixes and rerun them
              </Link>
              .
            </p>
          ) : (
            heldout.map((row) => (
              <div key={row.slug} className="flex items-start gap-2 text-sm">
                <Checkbox
                  id={`${id}-${row.slug}`}
                  checked={slugs.includes(row.slug)}
                  onCheckedChange={(on) => setSlugs(toggled(slugs, row.slug, on === true))}
                  aria-label={visible(row.name)}
                  className="mt-0.5"
                />
                <label htmlFor={`${id}-${row.slug}`} className="foreign min-w-0">
                  {visible(row.name)}{" "}
                  <span className="text-xs whitespace-nowrap text-muted">
                    {formatCount(row.prefixes)} in {plural(row.environments, "environment")}
                  </span>
                </label>
              </div>
            ))
          )}
        </fieldset>
        <fieldset className="flex min-w-0 flex-col gap-1.5">
          <legend className="mb-1 text-sm text-muted">Judges; two show whether a claim holds under both</legend>
          {judges.map((judge) => (
            <div key={judge} className="flex items-center gap-2 text-sm">
              <Checkbox
                id={`${id}-j-${judge}`}
                checked={by.includes(judge)}
                onCheckedChange={(on) => setBy(toggled(by, judge, on === true))}
                aria-label={visible(judge)}
              />
              <label htmlFor={`${id}-j-${judge}`} className="foreign min-w-0">
                {visible(judge)}
              </label>
            </div>
          ))}
          {judges.length === 1 ? (
            <p className="text-xs text-muted">
              A second judge: a model of the settings, or one learned from labels (
              <code className="font-mono">misstep judge train</code>).
            </p>
          ) : null}
        </fieldset>
      </div>
      <div className="flex flex-wrap items-end gap-3">
        {NUMBERS.map((n) => (
          <label
            key={n.key}
            htmlFor={`${id}-${n.key}`}
            title={n.about}
            className="flex w-24 flex-col gap-1 text-sm text-muted"
          >
            {n.label}
            <Input
              id={`${id}-${n.key}`}
              inputMode="numeric"
              value={numbers[n.key]}
              aria-invalid={wrong.includes(n.label)}
              onChange={(event) => setNumbers({ ...numbers, [n.key]: event.target.value })}
              className="text-text tabular-nums"
            />
          </label>
        ))}
        <label htmlFor={`${id}-name`} className="flex w-48 flex-col gap-1 text-sm text-muted">
          Name (optional)
          <Input
            id={`${id}-name`}
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
            className="text-text"
          />
        </label>
      </div>
      <Choice label="On to the end" checked={outcome} onChange={setOutcome}>
        lets each sample go on after the judged steps until its rollout ends, and runs the hidden tests: whether a
        checkpoint also passes from there. Takes as much longer as the rollouts go on.
      </Choice>
      <Choice label="Allow leaks" checked={leaksAllowed} onChange={setLeaksAllowed}>
        measures also prefixes whose environment a checkpoint was trained in. Its rate may flatter it there, so
        everything that rests on them is marked. Without this such a measurement is refused.
      </Choice>
      {wrong.length > 0 ? (
        <p role="alert" className="text-sm text-bad">
          No whole number: {wrong.join(", ")}.
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={busy || !usable}>
          <Gauge aria-hidden /> {busy ? "Asking…" : "Measure"}
        </Button>
        <Button disabled={busy || !usable} onClick={() => send("dry")}>
          <Calculator aria-hidden /> Dry run
        </Button>
      </div>
      {dry?.of === key ? <DryRun dry={dry.value} /> : null}
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {visible(error)}
        </p>
      ) : null}
    </form>
  );
}
