"use client";
import { Play } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { startProfileAction } from "./actions";
import type { PolicyChoice } from "./policies";

/** Two rounds of the families: enough to see every one, little enough to wait for. */
const ENVIRONMENTS = "28";
const ROLLOUTS = "2";
const UNREACHED = "The server did not answer. Is Misstep still running? Then try again.";

const MODES = [
  { value: "profile", label: "Correct flagged steps (the method)" },
  { value: "plain", label: "Plain rollouts: nobody interferes" },
  { value: "catch", label: "Catch trial of the localizer" },
] as const;
type Mode = (typeof MODES)[number]["value"];

const whole = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : null);

/** Starts a profiling run: one press with what is filled in, everything can be changed. */
export function StartForm({ policies, open }: { policies: PolicyChoice[]; open?: boolean }) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [policy, setPolicy] = useState(policies[0]?.name ?? "");
  const [mode, setMode] = useState<Mode>("profile");
  const [environments, setEnvironments] = useState(ENVIRONMENTS);
  const [rollouts, setRollouts] = useState(ROLLOUTS);
  const [seed, setSeed] = useState("1");
  const [error, setError] = useState<string | null>(null);
  const chosen = policies.find((one) => one.name === policy);
  const numbers = { environments: whole(environments), rollouts: whole(rollouts), seed: whole(seed) };
  const total = (numbers.environments ?? 0) * (numbers.rollouts ?? 0);
  const send = async () => {
    const { environments: many, rollouts: each, seed: from } = numbers;
    if (many === null || each === null || from === null) {
      setError("Environments, rollouts and seed are whole numbers.");
      return;
    }
    try {
      const result = await startProfileAction({ policy, mode, environments: many, rollouts: each, seed: from });
      if (result.ok) router.push(`/profiles/${result.value.profileId}`);
      else setError(result.error);
    } catch {
      setError(UNREACHED);
    }
  };
  const field = (name: string, label: string, value: string, set: (value: string) => void, least: number) => (
    <label htmlFor={`${id}-${name}`} className="flex w-32 flex-col gap-1 text-sm text-muted">
      {label}
      <Input
        id={`${id}-${name}`}
        type="number"
        min={least}
        required
        value={value}
        onChange={(event) => set(event.target.value)}
        className="text-text tabular-nums"
      />
    </label>
  );
  if (policies.length === 0)
    return <p className="text-sm text-muted">This installation has no policy that can be rolled out.</p>;
  return (
    <form
      aria-label="Start a profile"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        startTransition(send);
      }}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button type="submit" variant="primary" disabled={busy}>
          <Play aria-hidden /> {busy ? "Queueing…" : "Start a profile"}
        </Button>
        <p className="min-w-0 flex-1 text-sm text-muted">
          {mode === "catch" ? (
            "An expert with injected errors"
          ) : (
            <>
              <span className="foreign font-medium text-text">{visible(policy)}</span>
              {chosen?.embedded ? ", a learned policy that runs here," : ", a written program,"}
            </>
          )}{" "}
          in {numbers.environments === null ? "?" : formatCount(numbers.environments)} environments of the{" "}
          <Link href="/environments/tiny" className="text-accent hover:underline">
            tiny suite
          </Link>
          , {formatCount(total)} rollouts in real sandboxes.
        </p>
      </div>
      <details open={open}>
        <summary className="cursor-pointer text-sm text-muted">Settings</summary>
        <div className="mt-2 flex flex-wrap gap-3">
          <div className="flex flex-col gap-1 text-sm text-muted">
            Mode
            <Select
              label="Mode"
              value={mode}
              onValueChange={(value) => setMode(value as Mode)}
              options={MODES.map(({ value, label }) => ({ value, label }))}
              className="text-text"
            />
          </div>
          {mode === "catch" ? null : (
            <div className="flex flex-col gap-1 text-sm text-muted">
              Policy
              <Select
                label="Policy"
                value={policy}
                onValueChange={setPolicy}
                options={policies.map((one) => ({
                  value: one.name,
                  label: `${visible(one.name)}${one.embedded ? "" : " (written program)"}`,
                }))}
                className="text-text"
              />
            </div>
          )}
          {field("environments", "Environments", environments, setEnvironments, 1)}
          {field("rollouts", "Rollouts each", rollouts, setRollouts, 1)}
          {field("seed", "Seed", seed, setSeed, 0)}
        </div>
        <p className="mt-2 text-xs text-muted">
          Localizer: the rules. {mode === "profile" ? "Teacher: the suite’s expert, three tries a flagged step. " : ""}
          The same settings and seed give the same rollouts.
        </p>
      </details>
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {error}
        </p>
      ) : null}
    </form>
  );
}
