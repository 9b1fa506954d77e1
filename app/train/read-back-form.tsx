"use client";
import { FolderInput } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import { visible } from "@/lib/text/glyphs";
import { readBackAction } from "./elsewhere-actions";

/** Reads rollouts that another engine wrote into a folder of this machine. */
export function ReadBackForm() {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [folder, setFolder] = useState("");
  const [manifest, setManifest] = useState("");
  const [follow, setFollow] = useState(true);
  const [error, setError] = useState<string | null>(null);
  return (
    <form
      aria-label="Read rollouts of another engine"
      className="mt-2 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        startTransition(async () => {
          try {
            const result = await readBackAction({ folder, manifest, follow });
            if (result.ok) router.push(`/train/${result.value.runId}`);
            else setError(result.error);
          } catch (error) {
            setError(unreached(error));
          }
        });
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <label htmlFor={`${id}-folder`} className="flex w-full max-w-md flex-col gap-1 text-sm text-muted">
          Folder of --rollouts_save_path, on the machine that runs Misstep
          <Input
            id={`${id}-folder`}
            required
            value={folder}
            onChange={(event) => setFolder(event.target.value)}
            className="text-text"
          />
        </label>
        <label htmlFor={`${id}-manifest`} className="flex w-full max-w-md flex-col gap-1 text-sm text-muted">
          manifest.json of its bundle (optional: links prefixes and environments)
          <Input
            id={`${id}-manifest`}
            value={manifest}
            onChange={(event) => setManifest(event.target.value)}
            className="text-text"
          />
        </label>
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Button type="submit" disabled={busy}>
          <FolderInput aria-hidden /> {busy ? "Asking…" : "Read"}
        </Button>
        <Checkbox
          id={`${id}-follow`}
          checked={follow}
          onCheckedChange={(on) => setFollow(on === true)}
          aria-label="Go on while it is written"
        />
        <label htmlFor={`${id}-follow`} className="text-muted">
          go on while it is written, until the last step is there or the job is cancelled
        </label>
      </div>
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {visible(error)}
        </p>
      ) : null}
    </form>
  );
}
