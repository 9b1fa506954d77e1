"use client";
import { Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState, useTransition } from "react";
import { importTaxonomyAction } from "@/app/misbehaviors/actions";
import { Labelled } from "@/app/misbehaviors/labels-form";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";

const MOST = 5_000_000;

/** Adds an exported taxonomy as the next version of a name. */
export function ImportForm() {
  const router = useRouter();
  const file = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [busy, startTransition] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    const chosen = file.current?.files?.[0];
    if (!chosen) {
      setError("Choose a file first.");
      return;
    }
    if (chosen.size > MOST) {
      setError("The file is too large for a taxonomy.");
      return;
    }
    try {
      const result = await importTaxonomyAction({ text: await chosen.text(), name });
      if (result.ok) router.push(`/misbehaviors/versions/${result.value.taxonomyId}`);
      else setError(result.error);
    } catch (error) {
      setError(unreached(error));
    }
  };
  return (
    <form
      aria-label="Import a taxonomy"
      className="flex flex-col gap-2 rounded-lg border bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        startTransition(send);
      }}
    >
      <h2 className="font-medium">
        Import a taxonomy{" "}
        <span className="text-sm font-normal text-muted">
          a JSON file that was exported here or elsewhere; no step is labelled by it
        </span>
      </h2>
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="File">
          <input
            ref={file}
            type="file"
            accept="application/json,.json"
            className="max-w-full text-sm text-text file:mr-2 file:h-8 file:rounded-md file:border file:border-line-strong/60 file:bg-surface file:px-2.5 hover:file:bg-raised"
          />
        </Labelled>
        <Labelled label="Name (empty: the file's own)" className="w-56">
          <Input value={name} maxLength={80} onChange={(event) => setName(event.target.value)} className="text-text" />
        </Labelled>
        <Button type="submit" disabled={busy}>
          <Upload aria-hidden /> {busy ? "Importing…" : "Import"}
        </Button>
      </div>
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {error}
        </p>
      ) : null}
    </form>
  );
}
