"use client";
import { Gavel } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { driftAction } from "@/app/train/drift-actions";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { visible } from "@/lib/text/glyphs";

/** Has a judge that did not pay read rollouts of a training. */
export function DriftForm({ trainingId, judges }: { trainingId: number; judges: string[] }) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [judge, setJudge] = useState(judges[0] ?? "rules");
  const [perStep, setPerStep] = useState("16");
  const [error, setError] = useState<string | null>(null);
  return (
    <form
      aria-label="Second judge"
      className="flex flex-wrap items-end gap-2 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        startTransition(async () => {
          try {
            const result = await driftAction({ trainingId, judge, perStep: Number(perStep.trim() || "x") });
            if (result.ok) router.push(`/jobs/${result.value.jobId}`);
            else setError(result.error);
          } catch (error) {
            setError(unreached(error));
          }
        });
      }}
    >
      <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
        Second judge
        <Select
          label="Second judge"
          value={judge}
          options={judges.map((value) => ({ value, label: visible(value) }))}
          onValueChange={setJudge}
          className="text-text"
        />
      </div>
      <label htmlFor={`${id}-n`} className="flex flex-col gap-1 text-sm text-muted">
        Rollouts of a step
        <Input
          id={`${id}-n`}
          inputMode="numeric"
          value={perStep}
          onChange={(event) => setPerStep(event.target.value)}
          className="w-24 text-text"
        />
      </label>
      <Button type="submit" size="sm" disabled={busy}>
        <Gavel aria-hidden /> Judge them
      </Button>
      {error === null ? null : (
        <p role="alert" className="foreign w-full text-sm text-bad">
          {visible(error)}
        </p>
      )}
    </form>
  );
}
