import { Command, Option } from "commander";
import { tokens } from "@/db/queries/tokens";
import { ROLES, type Role, roleOf } from "@/lib/people/actor";
import { createToken, newToken } from "@/lib/people/tokens/create";
import { revokeToken } from "@/lib/people/tokens/revoke";
import { formatTime } from "@/lib/text/format";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { CLI, personOf, refusing } from "./people";
import { whole } from "./prefix";

interface CreateOptions extends JsonOption {
  name: string;
  role?: Role;
  days?: number;
}

const create = () =>
  new Command("create")
    .description("make a token by which a program calls the HTTP API as a person; it is printed once and kept nowhere")
    .argument("<person>")
    .requiredOption("--name <text>", "what it is for")
    .addOption(new Option("--role <role>", "what it may do at most (default: what the person may)").choices(ROLES))
    .option("--days <n>", "how long it works (default: until it is revoked)", whole(1, 3650))
    .option("--json", "print JSON")
    .action((given: string, options: CreateOptions) => {
      const db = openIndex();
      const person = personOf(db, given);
      const wanted = newToken.safeParse({
        personId: person.id,
        name: options.name,
        role: options.role ?? roleOf(person.role),
        days: options.days ?? null,
      });
      if (!wanted.success) throw new UsageError(`--name: ${wanted.error.issues[0]?.message}`);
      const made = refusing(() => createToken(db, CLI, wanted.data));
      print(options, made, () => [
        `token ${made.id} of ${person.name}, ${wanted.data.role}${made.expiresAt === null ? "" : `, until ${formatTime(made.expiresAt)} UTC`}; it is shown only now:`,
        `  ${made.token}`,
      ]);
    });

const list = () =>
  new Command("list")
    .description("tokens that are not revoked: whose, for what, when last used")
    .argument("[person]", "only theirs")
    .option("--json", "print JSON")
    .action((given: string | undefined, options: JsonOption) => {
      const db = openIndex();
      const rows = tokens(db, given === undefined ? null : personOf(db, given).id);
      print(options, rows, () =>
        rows.length === 0
          ? "no token; misstep people token create PERSON --name TEXT makes one"
          : rows.map(
              (t) =>
                `${String(t.id).padStart(4)}  ${t.person.padEnd(24)}  ${t.name.padEnd(24)}  ${t.role.padEnd(9)}  ${t.lastUsedAt === null ? "never used" : `used ${formatTime(t.lastUsedAt)}`}${t.expiresAt === null ? "" : t.expiresAt <= Date.now() ? "  too old" : `  until ${formatTime(t.expiresAt)}`}`,
            ),
      );
    });

const revoke = () =>
  new Command("revoke")
    .description("end a token at once")
    .argument("<id>", "number of the token")
    .action((given: string) => {
      const id = parseId(given);
      refusing(() => revokeToken(openIndex(), CLI, id));
      print({}, null, () => `token ${id} is revoked`);
    });

/** misstep people token create|list|revoke */
export const tokenCommand = (): Command =>
  new Command("token")
    .description("tokens of the HTTP API (/api/v1)")
    .addCommand(create())
    .addCommand(list())
    .addCommand(revoke());
