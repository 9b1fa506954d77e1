"use client";
import { Gavel } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { visible } from "@/lib/text/glyphs";
import { startLocalizeAction } from "./actions";

const WHICH = [
  { value: "ids", label: "Trajectories by number" },
  { value: "policy", label: "Trajectories of a policy" },
  { value: "all", label: "All trajectories" },
] as const;
type Which = (typeof WHICH)[number]["value"];

const whole = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : null);

/** Starts the localization of stored trajectories by a model of the settings. */
export function LocalizeForm({
  models,
  fault,
  trajectory,
}: {
  models: string[];
  fault: string | null;
  trajectory: number | null;
}) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [model, setModel] = useState(models[0] ?? "");
  const [which, setWhich] = useState<Which>("ids");
  const [ids, setIds] = useState(trajectory === null ? "" : String(trajectory));
  const [policy, setPolicy] = useState("");
  const [sample, setSample] = useState("");
  const [seed, setSeed] = useState("1");
  const [error, setError] = useState<string | null>(null);
  if (fault !== null) return <p className="foreign text-sm text-bad">{visible(fault)}</p>;
  if (models.length === 0)
    return (
      <p className="text-sm text-muted">
        No model can be asked yet: add an endpoint and a model in the{" "}
        <Link href="/settings" className="text-accent hover:underline">
          settings
        </Link>
        . The rules have judged everything at its import.
      </p>
    );
  const send = async () => {
    const numbers = ids
      .split(/[\s,]+/)
      .filter((part) => part !== "")
      .map(whole);
    const [many, from] = [sample.trim() === "" ? null : whole(sample), whole(seed)];
    if (which === "ids" && (numbers.length === 0 || numbers.includes(null)))
      return setError("Name trajectories by their numbers, with spaces or commas between.");
    if ((sample.trim() !== "" && many === null) || from === null)
      return setError("Sample and seed are whole numbers; without a sample all are judged.");
    try {
      const result = await startLocalizeAction({
        model,
        which:
          which === "ids"
            ? { by: "ids", ids: numbers.filter((n) => n !== null) }
            : which === "policy"
              ? { by: "policy", policy }
              : { by: "all" },
        sample: many,
        seed: from,
      });
      if (result.ok) router.push(`/jobs/${result.value.jobId}`);
      else setError(result.error);
    } catch (error) {
      setError(unreached(error));
    }
  };
  const field = (name: string, label: string, value: string, set: (value: string) => void, wide = false) => (
    <label htmlFor={`${id}-${name}`} className={`flex flex-col gap-1 text-sm text-muted ${wide ? "w-64" : "w-24"}`}>
      {label}
      <Input id={`${id}-${name}`} value={value} onChange={(e) => set(e.target.value)} className="text-text" />
    </label>
  );
  return (
    <form
      aria-label="Localize with a model"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        startTransition(send);
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <div className="flex flex-col gap-1 text-sm text-muted">
          Model
          <Select
            label="Model"
            value={model}
            onValueChange={setModel}
            options={models.map((name) => ({ value: name, label: visible(name) }))}
            className="text-text"
          />
        </div>
        <div className="flex flex-col gap-1 text-sm text-muted">
          Which
          <Select
            label="Which trajectories"
            value={which}
            onValueChange={(value) => setWhich(value as Which)}
            options={WHICH.map(({ value, label }) => ({ value, label }))}
            className="text-text"
          />
        </div>
        {which === "ids" ? field("ids", "Numbers", ids, setIds, true) : null}
        {which === "policy" ? field("policy", "Policy", policy, setPolicy, true) : null}
        {which === "ids" ? null : field("sample", "Sample", sample, setSample)}
        {which === "ids" ? null : field("seed", "Seed", seed, setSeed)}
        <Button type="submit" variant="primary" disabled={busy}>
          <Gavel aria-hidden /> {busy ? "Queueing…" : "Judge their steps"}
        </Button>
      </div>
      <p className="text-xs text-muted">
        One call a step, each with all that its agent had seen; steps that this model has judged already are left out.
        Nothing is asked about twice when the job is stopped or its budget is used up.
      </p>
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {error}
        </p>
      ) : null}
    </form>
  );
}
