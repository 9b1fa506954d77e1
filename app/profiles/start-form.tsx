"use client";
import { Play } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { type PlaceChoice, PlaceField } from "@/components/jobs/place-field";
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
const MODES = [
  { value: "profile", label: "Correct flagged steps (the method)" },
  { value: "plain", label: "Plain rollouts: nobody interferes" },
  { value: "catch", label: "Catch trial of the localizer" },
] as const;
type Mode = (typeof MODES)[number]["value"];

const PRESETS = [
  { value: "none", label: "Default: every reply is answered" },
  { value: "paper", label: "Paper: tests at the limit" },
  { value: "training", label: "Training: a bad reply ends it" },
  { value: "evaluation", label: "Evaluation: 0.7, top-p 0.95" },
] as const;
type PresetChoice = (typeof PRESETS)[number]["value"];
interface Choice {
  value: string;
  label: string;
}
const DIALECT_CHOICES: Choice[] = [
  { value: "tools", label: "Tool calls" },
  { value: "qwen3_xml", label: "Qwen XML in the text" },
  { value: "fenced", label: "A fenced block" },
];
const RULES: Choice = { value: "rules", label: "The rules" };

const whole = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : null);

/** Starts a profiling run: one press with what is filled in, everything can be changed. */
export function StartForm({
  policies,
  models = [],
  slurm = false,
  open,
}: {
  policies: PolicyChoice[];
  /** Models of the settings: each may be the policy, a localizer, the teacher. */
  models?: string[];
  /** Slurm is set up. */
  slurm?: boolean;
  open?: boolean;
}) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [policy, setPolicy] = useState(policies[0]?.name ?? (models[0] === undefined ? "" : `chat:${models[0]}`));
  const [mode, setMode] = useState<Mode>("profile");
  const [environments, setEnvironments] = useState(ENVIRONMENTS);
  const [rollouts, setRollouts] = useState(ROLLOUTS);
  const [seed, setSeed] = useState("1");
  const [error, setError] = useState<string | null>(null);
  const [place, setPlace] = useState<PlaceChoice>("local");
  const [placeError, setPlaceError] = useState<string | null>(null);
  const [dialect, setDialect] = useState("tools");
  const [preset, setPreset] = useState<PresetChoice>("none");
  const [localizer, setLocalizer] = useState("rules");
  const [beside, setBeside] = useState("none");
  const [teacher, setTeacher] = useState("expert");
  const isChat = policy.startsWith("chat:");
  const asksModels =
    (isChat && mode !== "catch") ||
    localizer !== "rules" ||
    (mode === "profile" && teacher !== "expert") ||
    beside !== "none";
  const played = models.map((name) => ({ value: `model:${name}`, label: `${visible(name)} (model)` }));
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
      const result = await startProfileAction({
        policy: isChat && dialect !== "tools" ? `${policy}#${dialect}` : policy,
        mode,
        environments: many,
        rollouts: each,
        seed: from,
        localizer,
        alongside: beside === "none" || beside === localizer ? [] : [beside],
        teacher,
        preset: preset === "none" ? null : preset,
        place,
      });
      if (result.ok) router.push(`/profiles/${result.value.profileId}`);
      else if (result.field === "place") setPlaceError(result.error);
      else setError(result.error);
    } catch (error) {
      setError(unreached(error));
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
  const choice = (label: string, value: string, set: (value: string) => void, options: Choice[]) => (
    <div className="flex flex-col gap-1 text-sm text-muted">
      {label}
      <Select label={label} value={value} onValueChange={set} options={options} className="text-text" />
    </div>
  );
  if (policies.length === 0 && models.length === 0)
    return <p className="text-sm text-muted">This installation has no policy that can be rolled out.</p>;
  return (
    <form
      aria-label="Start a profile"
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        setPlaceError(null);
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
              <span className="foreign font-medium text-text">{visible(policy.replace(/^chat:/, ""))}</span>
              {isChat
                ? ", a model behind an endpoint,"
                : chosen?.embedded
                  ? ", a learned policy that runs here,"
                  : ", a written program,"}
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
          {choice("Mode", mode, (value) => setMode(value as Mode), [...MODES])}
          {mode === "catch"
            ? null
            : choice("Policy", policy, setPolicy, [
                ...policies.map((one) => ({
                  value: one.name,
                  label: `${visible(one.name)}${one.embedded ? "" : " (written program)"}`,
                })),
                ...models.map((name) => ({ value: `chat:${name}`, label: `${visible(name)} (model)` })),
              ])}
          {mode !== "catch" && isChat ? choice("Commands", dialect, setDialect, DIALECT_CHOICES) : null}
          {mode === "catch"
            ? null
            : choice("Limits", preset, (value) => setPreset(value as PresetChoice), [...PRESETS])}
          {field("environments", "Environments", environments, setEnvironments, 1)}
          {field("rollouts", "Rollouts each", rollouts, setRollouts, 1)}
          {field("seed", "Seed", seed, setSeed, 0)}
          <PlaceField
            slurm={slurm}
            value={place}
            onValueChange={(next) => {
              setPlace(next);
              setPlaceError(null);
            }}
            error={placeError}
          />
        </div>
        <div className="mt-2 flex flex-wrap gap-3">
          {choice("Localizer", localizer, setLocalizer, [RULES, ...played])}
          {models.length === 0
            ? null
            : choice("Beside it", beside, setBeside, [
                { value: "none", label: "nobody" },
                ...[RULES, ...played].filter(({ value }) => value !== localizer),
              ])}
          {mode === "profile"
            ? choice("Teacher", teacher, setTeacher, [{ value: "expert", label: "The suite’s expert" }, ...played])
            : null}
        </div>
        <p className="mt-2 text-xs text-muted">
          {mode === "profile" ? "The teacher has three tries a flagged step. " : ""}
          {beside === "none" || models.length === 0
            ? ""
            : "What stands beside the localizer judges the same steps and changes nothing. "}
          {asksModels ? "Models are asked over their endpoints: limits, budget and costs are in the settings. " : ""}
          {models.length === 0 ? (
            <>
              Models for these roles are added in the{" "}
              <Link href="/settings" className="text-accent hover:underline">
                settings
              </Link>
              .{" "}
            </>
          ) : null}
          {asksModels
            ? "What models say differs from one run to the next."
            : "The same settings and seed give the same rollouts."}
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
