"use client";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { evaluateCandidatesAction } from "./actions";

/** Runs what has not run yet; says what was queued, or why nothing was. */
export function RunButton({ run, window, environments }: { run: number; window: number; environments: number }) {
  const [busy, startTransition] = useTransition();
  const [said, setSaid] = useState<{ ok: boolean; text: string } | null>(null);
  const router = useRouter();
  return (
    <div className="flex flex-wrap items-center gap-3 print:hidden">
      <Button
        disabled={busy}
        onClick={() =>
          startTransition(async () => {
            const result = await evaluateCandidatesAction({ run, window, environments });
            setSaid(
              result.ok
                ? { ok: true, text: `Queued as job ${result.value.jobs.join(", ")}; the scores appear here.` }
                : { ok: false, text: result.error },
            );
            router.refresh();
          })
        }
      >
        Run the candidates on {environments} held-out environments
      </Button>
      {said ? (
        <p role={said.ok ? "status" : "alert"} className={said.ok ? "text-sm text-muted" : "text-sm text-bad"}>
          {said.text}
        </p>
      ) : null}
    </div>
  );
}
