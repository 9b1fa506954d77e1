import type { Metadata } from "next";
import Link from "next/link";
import { currentActor, currentSession } from "@/app/actor";
import { SignOutButton } from "@/app/people/buttons";
import { SessionsTable } from "@/app/people/sessions-table";
import { Who } from "@/app/people/who";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { getDb } from "@/db/client";
import { sessions } from "@/db/queries/people";
import { tokens } from "@/db/queries/tokens";
import { accountsOn } from "@/lib/people/accounts/state";
import { PasswordForm } from "./password-form";
import { Tokens } from "./tokens-section";

export const metadata: Metadata = { title: "Your account" };
export const dynamic = "force-dynamic";

/** One's own account: password, browsers and tokens. */
export default async function AccountPage() {
  const db = getDb();
  const actor = await currentActor();
  if (!accountsOn(db))
    return (
      <Page title="Your account" note="There are no accounts here: one picks a name, and needs no password.">
        <div className="flex flex-wrap items-center gap-2">
          <Who actor={actor} place="page" />
          <Button asChild>
            <Link href="/settings#people">People and accounts</Link>
          </Button>
        </div>
      </Page>
    );
  const mine = await currentSession();
  return (
    <Page
      title="Your account"
      note={
        <span className="foreign">
          {actor.name}, {actor.role}
        </span>
      }
      actions={<SignOutButton />}
    >
      <section className="flex max-w-sm flex-col gap-2 rounded-lg border bg-surface p-4">
        <h2 className="font-medium">Change the password</h2>
        <p className="text-sm text-muted">Your other browsers are signed out.</p>
        <PasswordForm name={actor.name} />
      </section>
      <section className="flex flex-col gap-2">
        <h2 className="font-medium">Where you are signed in</h2>
        <SessionsTable rows={sessions(db, actor.personId)} mine={mine?.sessionId} />
      </section>
      <Tokens rows={tokens(db, actor.personId)} most={actor.role} now={Date.now()} />
    </Page>
  );
}
