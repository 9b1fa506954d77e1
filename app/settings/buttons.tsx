"use client";
import { DatabaseBackup, RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { formatBytes } from "@/lib/text/format";
import { backupAction, rescanAction } from "./actions";

/** Makes a backup now and says where it is. */
export function BackupButton() {
  const [busy, start] = useTransition();
  const [said, setSaid] = useState("");
  return (
    <>
      <Button
        size="sm"
        disabled={busy}
        onClick={() =>
          start(async () => {
            const result = await backupAction();
            setSaid(result.ok ? `Written: ${formatBytes(result.value.bytes)}` : result.error);
          })
        }
      >
        <DatabaseBackup aria-hidden /> {busy ? "Writing…" : "Back up now"}
      </Button>
      <span aria-live="polite" className="text-sm text-muted">
        {said}
      </span>
    </>
  );
}

/** Queues a scan of everything and opens its job. */
export function RescanButton() {
  const router = useRouter();
  const [busy, start] = useTransition();
  const [error, setError] = useState<string | null>(null);
  return (
    <>
      <Button
        size="sm"
        className="self-start"
        disabled={busy}
        onClick={() =>
          start(async () => {
            const result = await rescanAction();
            if (result.ok) router.push(`/jobs/${result.value.jobId}`);
            else setError(result.error);
          })
        }
      >
        <RefreshCw aria-hidden /> Scan everything again
      </Button>
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </>
  );
}
