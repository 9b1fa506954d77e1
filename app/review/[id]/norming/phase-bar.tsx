"use client";
import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { cn } from "@/components/cn";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { visible } from "@/lib/text/glyphs";
import { advanceAction } from "./actions";

const GO: Record<string, string> = {
  blind: "Reveal the votes",
  revealed: "Let everybody vote again",
  again: "Close",
};

/** Where a norming queue stands, and the button that goes on. */
export function PhaseBar({
  queueId,
  phase,
  phases,
  lead,
}: {
  queueId: number;
  phase: string;
  phases: { id: string; name: string }[];
  lead: boolean;
}) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const go = async () => {
    setBusy(true);
    setError(null);
    try {
      const result = await advanceAction({ queue: queueId, from: phase });
      if (!result.ok) setError(result.error);
    } catch (error) {
      setError(unreached(error));
    }
    setBusy(false);
    router.refresh();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <ol aria-label="Phases" className="flex flex-wrap gap-1 text-sm">
        {phases.map(({ id, name }, i) => (
          <li
            key={id}
            aria-current={id === phase ? "step" : undefined}
            className={cn(
              "rounded-md border px-2 py-1",
              id === phase ? "border-accent bg-accent-soft text-accent" : "bg-surface text-muted",
            )}
          >
            {i + 1}. {name}
          </li>
        ))}
      </ol>
      {lead && GO[phase] !== undefined ? (
        <Button variant="primary" disabled={busy} onClick={go}>
          <ArrowRight aria-hidden /> {GO[phase]}
        </Button>
      ) : null}
      {error === null ? null : (
        <p role="alert" className="w-full text-sm text-bad">
          {visible(error)}
        </p>
      )}
    </div>
  );
}
