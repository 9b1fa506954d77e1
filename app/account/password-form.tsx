"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { EntryField, EntryForm, field } from "@/app/people/entry-form";
import { send } from "@/app/people/send";

/** The present password and a new one, twice. */
export function PasswordForm({ name }: { name: string }) {
  const router = useRouter();
  const [times, setTimes] = useState(0);
  return (
    <>
      <EntryForm
        key={times}
        label="Change the password"
        button="Change it"
        submit={async (fields) => {
          const newPassword = field(fields, "password");
          if (newPassword !== field(fields, "again")) return "The two new passwords differ.";
          const said = await send("change-password", { currentPassword: field(fields, "current"), newPassword });
          if (said === null) {
            setTimes((n) => n + 1);
            router.refresh();
          }
          return said;
        }}
      >
        <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
        <EntryField label="Present password" name="current" type="password" autoComplete="current-password" />
        <EntryField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          maxLength={128}
          hint="At least 10 characters."
        />
        <EntryField label="New password again" name="again" type="password" autoComplete="new-password" />
      </EntryForm>
      <p aria-live="polite" className="text-sm text-good">
        {times > 0 ? "Changed." : ""}
      </p>
    </>
  );
}
