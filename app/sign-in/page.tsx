import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { actorIfAny } from "@/app/actor";
import { EntryPage } from "@/app/people/entry-page";
import { pathAfter } from "@/app/people/send";
import { SignInForm } from "./form";

export const metadata: Metadata = { title: "Sign in" };
export const dynamic = "force-dynamic";

const query = z.object({ next: z.string().max(4096).optional().catch(undefined) });

/** Where people sign in; who is in already, or where nobody signs in, goes on. */
export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const next = pathAfter(query.parse(await searchParams).next);
  if ((await actorIfAny()) !== null) redirect(next);
  return (
    <EntryPage title="Sign in">
      <SignInForm next={next} />
      <p className="text-xs text-muted">
        No account, or the password is lost? An admin gives you a link. What is asked for is a name and a password;
        there is no e-mail.
      </p>
    </EntryPage>
  );
}
