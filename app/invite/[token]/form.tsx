"use client";
import { EntryField, EntryForm, field } from "@/app/people/entry-form";
import { send } from "@/app/people/send";

const SHORTEST = 10;

/** Name (where the link is for nobody in particular) and a password; then in. */
export function JoinForm({ token, name, reset }: { token: string; name: string | null; reset: boolean }) {
  return (
    <EntryForm
      label={reset ? "New password" : "Join"}
      button={reset ? "Set the password" : "Join"}
      submit={async (fields) => {
        const password = field(fields, "password");
        if (password !== field(fields, "again")) return "The two passwords differ.";
        const called = name ?? field(fields, "username");
        const said = await send("invitation", { token, password, ...(name === null ? { name: called } : {}) });
        if (said !== null) return said;
        // The account is there whatever happens now: what goes wrong is met again on the page for signing in.
        const stopped = await send("sign-in/username", { username: called, password });
        window.location.assign(stopped === null ? "/" : "/sign-in");
        return null;
      }}
    >
      {name === null ? (
        <EntryField
          label="Your name"
          name="username"
          autoComplete="username"
          maxLength={60}
          hint="You sign in with it, and others see it beside what you review."
          autoFocus
        />
      ) : (
        <EntryField label="Your name" name="username" autoComplete="username" value={name} readOnly />
      )}
      <EntryField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={SHORTEST}
        maxLength={128}
        hint={`At least ${SHORTEST} characters.`}
      />
      <EntryField label="Password again" name="again" type="password" autoComplete="new-password" maxLength={128} />
    </EntryForm>
  );
}
