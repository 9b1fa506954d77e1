import { currentActor, currentSession } from "@/app/actor";
import { SessionsTable } from "@/app/people/sessions-table";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { type InvitationRow, openInvitations, type PersonRow, people, sessions } from "@/db/queries/people";
import { accountsOn } from "@/lib/people/accounts/state";
import { roleOf } from "@/lib/people/actor";
import { formatTime } from "@/lib/text/format";
import { AddPerson, InviteSomebody } from "./dialogs";
import { DisableButton, LinkButton, RevokeButton, RoleChoice, SwitchOn } from "./row-controls";

/** What a person's row says beside name and role. */
function PersonState({ person, accounts }: { person: PersonRow; accounts: boolean }) {
  if (person.disabledAt !== null) return <Badge tone="warn">disabled {formatTime(person.disabledAt)} UTC</Badge>;
  if (!accounts) return <span className="text-muted">may be picked</span>;
  return person.userId === null ? <Badge>no account yet</Badge> : <span>has an account</span>;
}

function Persons({ rows, accounts, admin }: { rows: PersonRow[]; accounts: boolean; admin: boolean }) {
  if (rows.length === 0) return <p className="text-sm text-muted">Nobody yet. The first person is admin.</p>;
  return (
    <TableFrame label="People">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Role</Th>
          <Th>State</Th>
          <Th>Since</Th>
          {admin ? (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((person) => (
          <tr key={person.id}>
            <Td className="foreign min-w-32">{person.name}</Td>
            <Td>{admin ? <RoleChoice id={person.id} name={person.name} role={roleOf(person.role)} /> : person.role}</Td>
            <Td>
              <PersonState person={person} accounts={accounts} />
            </Td>
            <Td className="whitespace-nowrap text-muted">{formatTime(person.createdAt)} UTC</Td>
            {admin ? (
              <Td>
                <div className="flex flex-wrap justify-end gap-2">
                  {accounts && person.disabledAt === null ? (
                    <LinkButton id={person.id} name={person.name} hasAccount={person.userId !== null} />
                  ) : null}
                  <DisableButton id={person.id} name={person.name} disabled={person.disabledAt !== null} />
                </div>
              </Td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function Invitations({ rows }: { rows: InvitationRow[] }) {
  return (
    <TableFrame label="Open invitations">
      <thead>
        <tr>
          <Th>For</Th>
          <Th>What</Th>
          <Th>Made by</Th>
          <Th>Works until</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <Td className="foreign min-w-32">{row.person ?? "whoever has the link"}</Td>
            <Td>{row.kind === "reset" ? "new password" : `account, ${row.role}`}</Td>
            <Td className="foreign min-w-32">{row.createdBy}</Td>
            <Td className="whitespace-nowrap">{formatTime(row.expiresAt)} UTC</Td>
            <Td className="text-right">
              <RevokeButton id={row.id} what={row.person ?? "whoever has the link"} />
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** Who may do what: persons, invitations, browsers that are signed in. What changes it shows to admins. */
export async function People() {
  const db = getDb();
  const accounts = accountsOn(db);
  const actor = await currentActor();
  const admin = actor.role === "admin";
  const invitations = admin && accounts ? openInvitations(db) : [];
  return (
    <section aria-labelledby="people" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id="people" className="font-medium">
          People
        </h2>
        {admin ? <AddPerson first={people(db).length === 0} /> : null}
        {admin && accounts ? <InviteSomebody /> : null}
      </div>
      <p className="max-w-3xl text-sm text-muted">
        A viewer reads; an annotator also reviews and exports; an admin does everything, also changes the study and runs
        jobs.{" "}
        {accounts
          ? "People sign in. misstep accounts off, on this machine, goes back to picking a name."
          : "There are no accounts: anybody at this machine picks a name in the rail, so roles keep from mistakes and not from people."}
      </p>
      {admin && !accounts ? <SwitchOn /> : null}
      <Persons rows={people(db)} accounts={accounts} admin={admin} />
      {invitations.length > 0 ? (
        <>
          <h3 className="text-sm font-medium">Open invitations</h3>
          <Invitations rows={invitations} />
        </>
      ) : null}
      {admin && accounts ? (
        <>
          <h3 className="text-sm font-medium">Signed in now</h3>
          <SessionsTable rows={sessions(db, null)} mine={(await currentSession())?.sessionId} names />
        </>
      ) : null}
    </section>
  );
}
