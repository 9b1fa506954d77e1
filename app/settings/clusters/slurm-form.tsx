"use client";
import { useId, useState } from "react";
import { Refusal, RemoveButton, TextField, useAction } from "@/app/settings/models/form";
import { Button } from "@/components/ui/button";
import type { SlurmSettings } from "@/lib/jobs/place/schema";
import { saveSlurmAction } from "./actions";
import { readTexts, type SlurmFaults, type SlurmTexts, textsOf } from "./fields";

/** What is set for Slurm; `given` is what an unset cluster starts from. */
export function SlurmForm({ given, isSet }: { given: SlurmSettings; isSet: boolean }) {
  const id = useId();
  const { busy, error, run } = useAction();
  const [texts, setTexts] = useState<SlurmTexts>(() => textsOf(given));
  const [faults, setFaults] = useState<SlurmFaults>({});
  const [saved, setSaved] = useState(false);
  const edit = (name: keyof SlurmSettings) => (text: string) => {
    setTexts((now) => ({ ...now, [name]: text }));
    setFaults(({ [name]: _, ...others }) => others);
    setSaved(false);
  };
  const field = (name: keyof SlurmSettings, label: string, hint: string, type: "text" | "number" = "text") => (
    <div className="flex min-w-0 flex-col gap-1">
      <TextField
        label={label}
        hint={hint}
        type={type}
        value={texts[name]}
        onChange={edit(name)}
        aria-invalid={faults[name] !== undefined || undefined}
        aria-errormessage={faults[name] === undefined ? undefined : `${id}-${name}`}
      />
      <Fault id={`${id}-${name}`} said={faults[name]} />
    </div>
  );
  const submit = () => {
    const read = readTexts(texts);
    setSaved(false);
    setFaults("faults" in read ? read.faults : {});
    if ("slurm" in read)
      run(
        () => saveSlurmAction({ slurm: read.slurm }),
        () => setSaved(true),
      );
  };
  return (
    <form
      aria-label="Slurm"
      noValidate
      className="flex flex-col gap-3 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {field("partition", "Partition", "Empty: the cluster’s default")}
        {field("account", "Account", "Empty: your default")}
        {field("time", "Time limit", "Minutes, HH:MM:SS or D-HH:MM:SS")}
        {field("memory", "Memory a task", "As sbatch takes it: 4G")}
        {field("cpusPerTask", "CPUs a task", "As many items run at once in it", "number")}
        {field("concurrent", "Tasks at once", "Limit of each array", "number")}
        {field("itemsPerTask", "Items a task", "Prefixes or rollouts that one task does", "number")}
        {field("tries", "Tries", "Times what a dead task left is submitted again", "number")}
      </div>
      <div className="flex min-w-0 flex-col gap-1 text-sm">
        <label htmlFor={`${id}-extra-text`} className="text-muted">
          Further #SBATCH lines
        </label>
        <textarea
          id={`${id}-extra-text`}
          value={texts.extra}
          onChange={(event) => edit("extra")(event.target.value)}
          rows={3}
          spellCheck={false}
          placeholder="#SBATCH --constraint=cpu"
          aria-invalid={faults.extra !== undefined || undefined}
          aria-errormessage={faults.extra === undefined ? undefined : `${id}-extra`}
          className="w-full rounded-md border border-line-strong bg-surface px-2.5 py-1.5 font-mono text-xs placeholder:text-muted"
        />
        <Fault id={`${id}-extra`} said={faults.extra} />
      </div>
      <div className="grid gap-3 lg:grid-cols-2">
        {field(
          "folder",
          "Shared folder",
          "One path on this machine and on the nodes. Empty: slurm/ in MISSTEP_HOME, which then has to be on the shared file system",
        )}
        {field("command", "Command on a node", "Starts the command line of Misstep. Empty: as on this machine")}
      </div>
      <Refusal error={error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" disabled={busy}>
          {busy ? "Saving…" : isSet ? "Save Slurm" : "Set up Slurm"}
        </Button>
        {isSet ? <RemoveButton what="Slurm" action={() => saveSlurmAction({ slurm: null })} /> : null}
        <span aria-live="polite" className="text-sm text-muted">
          {saved ? "Saved" : ""}
        </span>
      </div>
    </form>
  );
}

function Fault({ id, said }: { id: string; said: string | undefined }) {
  return said === undefined ? null : (
    <p id={id} role="alert" className="foreign text-xs text-bad">
      {said}
    </p>
  );
}
