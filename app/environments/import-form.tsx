"use client";
import { FolderOpen } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { importEnvironmentsAction } from "./actions";

/** Names a folder with task directories and imports them as a job. */
export function ImportForm({ roots }: { roots: string[] }) {
  const router = useRouter();
  const [busy, start] = useTransition();
  const [path, setPath] = useState("");
  const [dataset, setDataset] = useState("");
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    try {
      const result = await importEnvironmentsAction({ path, ...(dataset.trim() ? { dataset } : {}) });
      if (result.ok) router.push(`/jobs/${result.value.jobId}`);
      else setError(result.error);
    } catch (error) {
      setError(unreached(error));
    }
  };
  return (
    <details className="rounded-lg border bg-surface px-3 py-2">
      <summary className="cursor-pointer font-medium">
        <FolderOpen aria-hidden className="mr-1.5 inline size-4 text-muted" />
        Import task directories
      </summary>
      <form
        className="mt-2 flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setError(null);
          start(send);
        }}
      >
        <div className="flex flex-wrap gap-2">
          <Input
            aria-label="Folder on this machine"
            value={path}
            onChange={(event) => setPath(event.target.value)}
            placeholder="/home/me/tasks"
            spellCheck={false}
            className="w-full font-mono sm:w-96"
            required
          />
          <Input
            aria-label="Data set (optional)"
            value={dataset}
            onChange={(event) => setDataset(event.target.value)}
            placeholder="Data set (optional)"
            className="w-full sm:w-56"
          />
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? "Queueing…" : "Import"}
          </Button>
        </div>
        <p className="text-sm text-muted">
          Harbor (task.toml) and Terminal-Bench (task.yaml): one task directory, or a folder with many. Files are
          copied; importing again adds nothing twice. This page reads below{" "}
          {roots.map((root, i) => (
            <span key={root}>
              {i > 0 ? ", " : ""}
              <code className="font-mono text-xs">{root}</code>
            </span>
          ))}
          .
        </p>
        {error ? (
          <p role="alert" className="foreign text-sm text-bad">
            {error}
          </p>
        ) : null}
      </form>
    </details>
  );
}
