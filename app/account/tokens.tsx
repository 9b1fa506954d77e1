"use client";
import { useState } from "react";
import { ChoiceField, Form, FormDialog, Refusal, TextField, useAction } from "@/app/settings/models/form";
import { CopyButton } from "@/components/reader/copy-button";
import { Button } from "@/components/ui/button";
import { ROLES, type Role } from "@/lib/people/actor";
import type { MadeToken } from "@/lib/people/tokens/create";
import { makeTokenAction, revokeTokenAction } from "./actions";

const LASTS = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
  { value: "never", label: "until it is revoked" },
];

/** A token that was just made: this is the only time it can be seen. */
function Shown({ made }: { made: MadeToken }) {
  return (
    <div role="status" className="flex flex-col gap-1 rounded-md border bg-raised p-3 text-sm">
      <p>It is shown only now. Keep it where only the program reads it.</p>
      <div className="flex items-start gap-1">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{made.token}</code>
        <CopyButton text={() => made.token} label="Copy the token" />
      </div>
    </div>
  );
}

function MakeForm({ most, close }: { most: Role; close: () => void }) {
  const { busy, error, run } = useAction();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>(most);
  const [days, setDays] = useState("90");
  const [made, setMade] = useState<MadeToken | null>(null);
  if (made)
    return (
      <div className="flex flex-col gap-3">
        <Shown made={made} />
        <Button className="self-end" onClick={close}>
          Done
        </Button>
      </div>
    );
  const roles = ROLES.slice(0, ROLES.indexOf(most) + 1);
  return (
    <Form
      label="Token"
      busy={busy}
      error={error}
      onSubmit={() => run(() => makeTokenAction({ name, role, days: days === "never" ? null : Number(days) }), setMade)}
      onCancel={close}
    >
      <TextField label="What it is for" value={name} onChange={setName} maxLength={60} required />
      <ChoiceField
        label="It may do at most what this role may"
        value={role}
        onValueChange={(value) => setRole(roles.find((one) => one === value) ?? "viewer")}
        options={roles.map((value) => ({ value, label: value }))}
      />
      <ChoiceField label="It works for" value={days} onValueChange={setDays} options={LASTS} />
    </Form>
  );
}

/** Makes a token of one's own. `most`: one's role, which the token's cannot exceed. */
export function MakeToken({ most }: { most: Role }) {
  return (
    <FormDialog title="New token" trigger={<Button size="sm">Make a token</Button>}>
      {(close) => <MakeForm most={most} close={close} />}
    </FormDialog>
  );
}

/** Ends a token. */
export function RevokeToken({ id, name }: { id: number; name: string }) {
  const { busy, error, run } = useAction();
  return (
    <>
      <Button
        size="sm"
        disabled={busy}
        aria-label={`Revoke the token ${name}`}
        onClick={() =>
          run(
            () => revokeTokenAction({ id }),
            () => undefined,
          )
        }
      >
        Revoke
      </Button>
      <Refusal error={error} />
    </>
  );
}
