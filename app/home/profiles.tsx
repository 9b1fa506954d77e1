import Link from "next/link";
import type { PolicyChoice } from "@/app/profiles/policies";
import { ProfileTable } from "@/app/profiles/profile-table";
import { StartForm } from "@/app/profiles/start-form";
import type { ProfileRow } from "@/db/queries/profiles";

/** Starts a profile, with the newest ones below. `first`: there is no profile yet, so it says what one is. */
export function Profiles({
  profiles,
  policies,
  first,
}: {
  profiles: ProfileRow[];
  policies: PolicyChoice[];
  first?: boolean;
}) {
  return (
    <section aria-labelledby="profiles" className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 id="profiles" className="flex items-baseline gap-2 font-medium">
        {first ? "See a policy act, and where it goes wrong" : "Profiles"}
        {profiles.length > 0 ? (
          <Link href="/profiles" className="text-sm font-normal text-accent hover:underline">
            all
          </Link>
        ) : null}
      </h2>
      {first ? (
        <p className="max-w-[75ch] text-sm text-muted">
          One press: a policy works on small tasks in sandboxes on this machine. Every step that looks wrong is stopped
          before it runs, with its reason, and a teacher’s step runs in its place. You can read each of them.
        </p>
      ) : null}
      <StartForm policies={policies} />
      {profiles.length > 0 ? <ProfileTable rows={profiles} /> : null}
    </section>
  );
}
