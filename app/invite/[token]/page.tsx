import type { Metadata } from "next";
import Link from "next/link";
import { EntryPage } from "@/app/people/entry-page";
import { getDb } from "@/db/client";
import { invitationOf, type OpenInvitation } from "@/lib/people/accounts/invitationOf";
import { accountsOn } from "@/lib/people/accounts/state";
import { PeopleRefused } from "@/lib/people/refused";
import { formatTime } from "@/lib/text/format";
import { JoinForm } from "./form";

export const metadata: Metadata = { title: "Invitation", robots: { index: false } };
export const dynamic = "force-dynamic";

const MAY = {
  viewer: "read everything",
  annotator: "read everything, review, and export",
  admin: "do everything, also change the study and who may do what",
};

function found(token: string): OpenInvitation | string {
  if (!accountsOn(getDb())) return "Nobody signs in here at the moment: accounts are off.";
  try {
    return invitationOf(getDb(), token);
  } catch (error) {
    if (error instanceof PeopleRefused) return error.message;
    throw error;
  }
}

/** Where a link leads: a new account, or a new password. */
export default async function InvitePage({ params }: PageProps<"/invite/[token]">) {
  const { token } = await params;
  const invitation = found(token);
  if (typeof invitation === "string")
    return (
      <EntryPage title="This link does not work">
        <p role="alert" className="text-sm">
          {invitation}
        </p>
        <Link href="/sign-in" className="text-sm text-accent underline">
          {accountsOn(getDb()) ? "Sign in" : "Open Misstep"}
        </Link>
      </EntryPage>
    );
  const { kind, person, role, createdBy, expiresAt } = invitation;
  return (
    <EntryPage title={kind === "reset" ? "A new password" : "Join this study"}>
      <p className="foreign text-sm">
        {kind === "reset"
          ? "Every browser you are signed in with is signed out."
          : `As ${role} you may ${MAY[role]}.${createdBy === "cli" || createdBy === person?.name ? "" : ` Invited by ${createdBy}.`}`}
      </p>
      <JoinForm token={token} name={person?.name ?? null} reset={kind === "reset"} />
      <p className="text-xs text-muted">The link works once, until {formatTime(expiresAt)} UTC.</p>
    </EntryPage>
  );
}
