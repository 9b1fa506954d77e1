"use client";
import { ListChecks } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { checkEnvironmentsAction } from "@/app/environments/actions";
import { Button } from "@/components/ui/button";

/** Queues the two checks of this environment and opens the job. */
export function CheckButton({ id }: { id: number }) {
  const router = useRouter();
  const [busy, start] = useTransition();
  const [error, setError] = useState<string | null>(null);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {error ? (
        <span role="alert" className="text-sm text-bad">
          {error}
        </span>
      ) : null}
      <Button
        variant="primary"
        disabled={busy}
        title="Runs the hidden tests after the reference solution and after nothing, in sandboxes"
        onClick={() =>
          start(async () => {
            const result = await checkEnvironmentsAction({ ids: [id] });
            if (result.ok) router.push(`/jobs/${result.value.jobId}`);
            else setError(result.error);
          })
        }
      >
        <ListChecks aria-hidden /> {busy ? "Queueing…" : "Check"}
      </Button>
    </div>
  );
}
