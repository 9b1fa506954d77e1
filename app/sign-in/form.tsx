"use client";
import { EntryField, EntryForm, field } from "@/app/people/entry-form";
import { send } from "@/app/people/send";

/** Name and password; then on to `next` with a fresh page, so that nothing of another person's is left. */
export function SignInForm({ next }: { next: string }) {
  return (
    <EntryForm
      label="Sign in"
      button="Sign in"
      submit={async (fields) => {
        const said = await send("sign-in/username", {
          username: field(fields, "username"),
          password: field(fields, "password"),
        });
        if (said === null) window.location.assign(next);
        return said;
      }}
    >
      <EntryField
        label="Name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <EntryField label="Password" name="password" type="password" autoComplete="current-password" />
    </EntryForm>
  );
}
