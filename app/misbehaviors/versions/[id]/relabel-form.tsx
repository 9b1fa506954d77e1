"use client";
import { Tags } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { relabelAction } from "@/app/misbehaviors/actions";
import type { AnnotatorChoice } from "@/app/misbehaviors/labels-form";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";

/** Queues a relabel of what waits. */
export function RelabelForm({
  taxonomyId,
  stale,
  annotators,
}: {
  taxonomyId: number;
  stale: number;
  annotators: AnnotatorChoice[];
}) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [annotator, setAnnotator] = useState(annotators[0]?.value ?? "rules");
  const [scope, setScope] = useState<"stale" | "open">(stale > 0 ? "stale" : "open");
  const [error, setError] = useState<string | null>(null);
  const send = () => {
    setError(null);
    startTransition(async () => {
      try {
        const spec =
          annotator === "rules"
            ? { use: "rules" as const }
            : { use: "model" as const, ...(annotator === "model" ? {} : { model: annotator }) };
        const result = await relabelAction({ taxonomyId, annotator: spec, scope });
        if (result.ok) router.push(`/jobs/${result.value.jobId}`);
        else setError(result.error);
      } catch (error) {
        setError(unreached(error));
      }
    });
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        label="What to relabel"
        value={scope}
        onValueChange={(value) => setScope(value === "open" ? "open" : "stale")}
        options={[
          { value: "stale", label: "Labels from before an edit" },
          { value: "open", label: "Those, and steps without an answer" },
        ]}
      />
      <Select label="Annotator" value={annotator} onValueChange={setAnnotator} options={annotators} />
      <Button onClick={send} disabled={busy}>
        <Tags aria-hidden /> {busy ? "Queueing…" : "Relabel"}
      </Button>
      {annotator === "rules" ? (
        <span className="text-xs text-muted">Rules leave types alone that they have no detector for.</span>
      ) : null}
      {error ? (
        <span role="alert" className="foreign w-full text-sm text-bad">
          {error}
        </span>
      ) : null}
    </div>
  );
}
