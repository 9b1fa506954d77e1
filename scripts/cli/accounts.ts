import { Command } from "commander";
import { people } from "@/db/queries/people";
import { accountsOn } from "@/lib/people/accounts/state";
import { switchOff, switchOn } from "@/lib/people/accounts/switch";
import { linkTo, type OriginOption, originOption } from "./origin";
import { type JsonOption, openIndex, print } from "./output";
import { CLI, nameOf, refusing, sayLink } from "./people";

/** misstep accounts */
export function accountsCommand(): Command {
  const command = new Command("accounts").description(
    "whether people sign in; needed on any address but this machine's",
  );
  command
    .command("status", { isDefault: true })
    .description("on or off, and who can sign in")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const db = openIndex();
      const on = accountsOn(db);
      const able = people(db).filter((p) => p.userId !== null && p.disabledAt === null).length;
      print(options, { on, canSignIn: able }, () => `accounts are ${on ? "on" : "off"}; ${able} can sign in`);
    });
  command
    .command("on")
    .description("from now on people sign in; prints an invitation where no admin can yet")
    .option("--admin <name>", "the first admin: a person, added when there is none of that name")
    .addOption(originOption())
    .option("--json", "print JSON")
    .action((options: JsonOption & OriginOption & { admin?: string }) => {
      const db = openIndex();
      const admin = options.admin === undefined ? undefined : nameOf(options.admin);
      const made = refusing(() => switchOn(db, CLI, admin));
      print(options, { on: true, invitation: made && { ...made, link: linkTo(made.path, options) } }, () =>
        made === null
          ? "accounts are on; admins sign in as before"
          : ["accounts are on; nobody can sign in as admin yet.", ...sayLink(made, options)],
      );
    });
  command
    .command("off")
    .description("from now on one picks a name; everybody is signed out, accounts stay for the next time")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      switchOff(openIndex(), CLI);
      print(options, { on: false }, () => "accounts are off; Misstep listens on this machine only");
    });
  return command;
}
