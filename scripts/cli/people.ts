import { Command, Option } from "commander";
import type { Db } from "@/db/client";
import { type PersonRow, people } from "@/db/queries/people";
import { type Invitation, invite } from "@/lib/people/accounts/invite";
import { accountsOn } from "@/lib/people/accounts/state";
import { type Actor, ROLES, type Role } from "@/lib/people/actor";
import { addPerson } from "@/lib/people/add";
import { changeRole } from "@/lib/people/changeRole";
import { setDisabled } from "@/lib/people/disable";
import { foldName, nameSchema } from "@/lib/people/name";
import { PeopleRefused } from "@/lib/people/refused";
import { formatTime } from "@/lib/text/format";
import { linkTo, type OriginOption, originOption } from "./origin";
import { type JsonOption, openIndex, print, UsageError } from "./output";
import { tokenCommand } from "./peopleToken";

/** Whoever runs the command line owns the files: every right, and no person. */
export const CLI: Actor = { personId: null, name: "cli", role: "admin" };

/** Runs; what the people's services refuse becomes a UsageError. */
export function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PeopleRefused) throw new UsageError(error.message);
    throw error;
  }
}

/** A name as people are stored. */
export function nameOf(text: string): string {
  const read = nameSchema.safeParse(text);
  if (!read.success) throw new UsageError(`"${text}": ${read.error.issues[0]?.message}`);
  return read.data;
}

/** A person by name, in any case. Throws UsageError. */
export function personOf(db: Db, name: string): PersonRow {
  const found = people(db).find((person) => foldName(person.name) === foldName(name));
  if (!found) throw new UsageError(`there is nobody named ${name}; misstep people list`);
  return found;
}

/** What is printed of a link that was made. */
export const sayLink = ({ kind, expiresAt, path }: Invitation, options: OriginOption): string[] => [
  `${kind === "invite" ? "Invitation" : "New password"}; works once, until ${formatTime(expiresAt)} UTC:`,
  `  ${linkTo(path, options)}`,
];

const state = (person: PersonRow, accounts: boolean): string =>
  person.disabledAt !== null
    ? `disabled since ${formatTime(person.disabledAt)}`
    : accounts
      ? person.userId === null
        ? "no account yet"
        : "has an account"
      : "";

const roleOption = () => new Option("--role <role>", "what they may do").choices(ROLES);

/** misstep people */
export function peopleCommand(): Command {
  const command = new Command("people").description("persons: roles, invitations, who may act");
  command
    .command("list", { isDefault: true })
    .description("everybody, with role and state")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const db = openIndex();
      const rows = people(db);
      const accounts = accountsOn(db);
      print(options, { accounts, people: rows }, () => [
        ...rows.map((p) => `${p.name.padEnd(30)}  ${p.role.padEnd(9)}  ${state(p, accounts)}`.trimEnd()),
        rows.length === 0 ? "nobody yet; misstep people add NAME" : `accounts are ${accounts ? "on" : "off"}`,
      ]);
    });
  command
    .command("add <name>")
    .description("add a person; the first is admin, others annotator, unless --role says otherwise")
    .addOption(roleOption())
    .option("--json", "print JSON")
    .action((name: string, options: JsonOption & { role?: Role }) => {
      const db = openIndex();
      const id = refusing(() => addPerson(db, CLI, { name: nameOf(name), role: options.role }));
      const added = personOf(db, name);
      print(options, { id, name: added.name, role: added.role }, () => `added ${added.name} as ${added.role}`);
    });
  command
    .command("role <name> <role>")
    .description(`give a person another role: ${ROLES.join(", ")}`)
    .action((name: string, role: string) => {
      const db = openIndex();
      const known = ROLES.find((r) => r === role);
      if (!known) throw new UsageError(`"${role}" is no role; there are ${ROLES.join(", ")}`);
      refusing(() => changeRole(db, CLI, { personId: personOf(db, name).id, role: known }));
      print({}, null, () => `${name} is ${known} now`);
    });
  for (const disabled of [true, false])
    command
      .command(`${disabled ? "disable" : "enable"} <name>`)
      .description(
        disabled ? "they may not act any more and are signed out; what they did stays" : "they may act again",
      )
      .action((name: string) => {
        const db = openIndex();
        refusing(() => setDisabled(db, CLI, { personId: personOf(db, name).id, disabled }));
        print({}, null, () => `${name} is ${disabled ? "disabled" : "enabled"}`);
      });
  command
    .command("invite [name]")
    .description("print an invitation: for a person who has no account yet, or for somebody new with --role")
    .addOption(roleOption())
    .addOption(originOption())
    .option("--json", "print JSON")
    .action((name: string | undefined, options: JsonOption & OriginOption & { role?: Role }) => {
      const db = openIndex();
      if ((name === undefined) === (options.role === undefined))
        throw new UsageError("name a person, or give --role for somebody who chooses their name");
      const person = name === undefined ? null : personOf(db, name);
      if (person !== null && person.userId !== null)
        throw new UsageError(
          `${person.name} has an account; for a new password: misstep people reset "${person.name}"`,
        );
      const wanted = person === null ? { role: options.role ?? ("viewer" as const) } : { personId: person.id };
      const made = refusing(() => invite(db, CLI, wanted));
      print(options, { ...made, link: linkTo(made.path, options) }, () => sayLink(made, options));
    });
  command
    .command("reset <name>")
    .description("print a link by which a person sets a new password")
    .addOption(originOption())
    .option("--json", "print JSON")
    .action((name: string, options: JsonOption & OriginOption) => {
      const db = openIndex();
      const person = personOf(db, name);
      if (person.userId === null)
        throw new UsageError(`${person.name} has no account yet; misstep people invite "${person.name}"`);
      const made = refusing(() => invite(db, CLI, { personId: person.id }));
      print(options, { ...made, link: linkTo(made.path, options) }, () => sayLink(made, options));
    });
  command.addCommand(tokenCommand());
  return command;
}
