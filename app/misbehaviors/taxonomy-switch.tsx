"use client";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { visible } from "@/lib/text/glyphs";
import { putInForceAction } from "./actions";

export interface VersionChoice {
  id: number;
  name: string;
  version: number;
}

/** Chooses the version that a page shows, and puts it in force. */
export function TaxonomySwitch({
  choices,
  shown,
  inForce,
  path,
}: {
  choices: VersionChoice[];
  shown: number;
  inForce: number;
  /** Address of the page without the version. */
  path: string;
}) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const put = () =>
    startTransition(async () => {
      const result = await putInForceAction({ taxonomyId: shown });
      if (result.ok) router.push(path);
      else setError(result.error);
    });
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Select
        label="Taxonomy version shown"
        value={String(shown)}
        onValueChange={(id) => router.push(Number(id) === inForce ? path : `${path}?taxonomy=${id}`)}
        options={choices.map((c) => ({
          value: String(c.id),
          label: `${visible(c.name)} ${c.version}${c.id === inForce ? " (in force)" : ""}`,
        }))}
      />
      {shown === inForce ? null : (
        <Button onClick={put} disabled={busy} title="Pages, lists and draws go by the version in force">
          {busy ? "Putting in force…" : "Put in force"}
        </Button>
      )}
      {error ? (
        <span role="alert" className="foreign text-sm text-bad">
          {error}
        </span>
      ) : null}
    </span>
  );
}
