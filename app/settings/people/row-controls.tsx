"use client";
import { useState } from "react";
import { Refusal, useAction } from "@/app/settings/models/form";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { Select } from "@/components/ui/select";
import { ROLES, type Role } from "@/lib/people/actor";
import {
  changeRoleAction,
  inviteAction,
  type MadeLink,
  revokeInvitationAction,
  setDisabledAction,
  switchAccountsOnAction,
} from "./actions";
import { LinkShown } from "./link-shown";

/** A person's role, changed as soon as another is chosen. */
export function RoleChoice({ id, name, role }: { id: number; name: string; role: Role }) {
  const { error, run } = useAction();
  return (
    <>
      <Select
        label={`Role of ${name}`}
        value={role}
        options={ROLES.map((value) => ({ value, label: value }))}
        onValueChange={(value) => {
          const wanted = ROLES.find((known) => known === value);
          if (wanted && wanted !== role)
            run(
              () => changeRoleAction({ personId: id, role: wanted }),
              () => undefined,
            );
        }}
      />
      <Refusal error={error} />
    </>
  );
}

/** Makes the link of one person and shows it. */
export function LinkButton({ id, name, hasAccount }: { id: number; name: string; hasAccount: boolean }) {
  const { busy, error, run } = useAction();
  const [link, setLink] = useState<MadeLink | null>(null);
  const what = hasAccount ? "New password" : "Invite";
  return (
    <>
      <Button
        size="sm"
        disabled={busy}
        aria-label={hasAccount ? `New password for ${name}` : `Invite ${name}`}
        onClick={() => run(() => inviteAction({ personId: id }), setLink)}
      >
        {what}
      </Button>
      <Refusal error={error} />
      <Dialog open={link !== null} onOpenChange={(open) => (open ? undefined : setLink(null))}>
        {link ? (
          <DialogContent title={`${what}: ${name}`}>
            <LinkShown link={link} />
          </DialogContent>
        ) : null}
      </Dialog>
    </>
  );
}

/** Disables after a second press, since it signs the person out; enables at once. */
export function DisableButton({ id, name, disabled }: { id: number; name: string; disabled: boolean }) {
  const { busy, error, run } = useAction();
  const [sure, setSure] = useState(false);
  const act = () =>
    run(
      () => setDisabledAction({ personId: id, disabled: !disabled }),
      () => setSure(false),
    );
  return (
    <>
      <Button
        size="sm"
        variant={sure ? "danger" : "ghost"}
        disabled={busy}
        aria-label={disabled ? `Enable ${name}` : sure ? `Really disable ${name}` : `Disable ${name}`}
        onBlur={() => setSure(false)}
        onClick={() => (disabled || sure ? act() : setSure(true))}
      >
        {disabled ? "Enable" : sure ? "Really disable" : "Disable"}
      </Button>
      <Refusal error={error} />
    </>
  );
}

/** Makes an open link stop working. */
export function RevokeButton({ id, what }: { id: number; what: string }) {
  const { busy, error, run } = useAction();
  return (
    <>
      <Button
        size="sm"
        disabled={busy}
        aria-label={`Revoke the link for ${what}`}
        onClick={() =>
          run(
            () => revokeInvitationAction({ id }),
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

/** Switches accounts on, after a second press: this browser has to sign in next. */
export function SwitchOn() {
  const { busy, error, run } = useAction();
  const [sure, setSure] = useState(false);
  const [link, setLink] = useState<MadeLink | null>(null);
  if (link)
    return (
      <div className="flex max-w-xl flex-col gap-2">
        <p className="text-sm">Accounts are on. Open this link, choose a password, and you are the first admin:</p>
        <LinkShown link={link} />
        <Button asChild variant="primary" className="self-start">
          <a href={link.path}>Open it</a>
        </Button>
      </div>
    );
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        size="sm"
        variant={sure ? "danger" : "outline"}
        disabled={busy}
        onBlur={() => setSure(false)}
        onClick={() =>
          sure
            ? run(switchAccountsOnAction, (made) => (made ? setLink(made) : window.location.assign("/sign-in")))
            : setSure(true)
        }
      >
        {sure ? "Really switch accounts on: everybody has to sign in" : "Switch accounts on"}
      </Button>
      <span className="text-sm text-muted">Needed before Misstep listens on an address others can reach.</span>
      <Refusal error={error} />
    </div>
  );
}
