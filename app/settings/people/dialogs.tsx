"use client";
import { useState } from "react";
import { ChoiceField, Form, FormDialog, Refusal, TextField, useAction } from "@/app/settings/models/form";
import { Button } from "@/components/ui/button";
import { ROLES, type Role } from "@/lib/people/actor";
import { addPersonAction, inviteAction, type MadeLink } from "./actions";
import { LinkShown } from "./link-shown";

const options = ROLES.map((value) => ({ value, label: value }));
const asRole = (value: string): Role => ROLES.find((role) => role === value) ?? "viewer";

function AddForm({ first, close }: { first: boolean; close: () => void }) {
  const { busy, error, run } = useAction();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Role | null>(null);
  const role = chosen ?? (first ? "admin" : "annotator");
  return (
    <Form
      label="Person"
      busy={busy}
      error={error}
      onSubmit={() => run(() => addPersonAction({ name, role }), close)}
      onCancel={close}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={60} required />
      <ChoiceField label="Role" value={role} onValueChange={(value) => setChosen(asRole(value))} options={options} />
    </Form>
  );
}

/** Adds a person without an account. */
export function AddPerson({ first }: { first: boolean }) {
  return (
    <FormDialog title="New person" trigger={<Button size="sm">Add a person</Button>}>
      {(close) => <AddForm first={first} close={close} />}
    </FormDialog>
  );
}

function InviteForm({ close }: { close: () => void }) {
  const { busy, error, run } = useAction();
  const [role, setRole] = useState<Role>("annotator");
  const [link, setLink] = useState<MadeLink | null>(null);
  if (link)
    return (
      <div className="flex flex-col gap-3">
        <LinkShown link={link} />
        <Button className="self-end" onClick={close}>
          Done
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-3">
      <ChoiceField
        label="They become"
        value={role}
        onValueChange={(value) => setRole(asRole(value))}
        options={options}
        hint="Whoever opens the link first chooses a name and a password. For somebody in the list, use the button in their row."
      />
      <Refusal error={error} />
      <Button
        variant="primary"
        className="self-end"
        disabled={busy}
        onClick={() => run(() => inviteAction({ role }), setLink)}
      >
        Make a link
      </Button>
    </div>
  );
}

/** Makes an invitation for somebody new. */
export function InviteSomebody() {
  return (
    <FormDialog title="Invite somebody new" trigger={<Button size="sm">Invite somebody new</Button>}>
      {(close) => <InviteForm close={close} />}
    </FormDialog>
  );
}
