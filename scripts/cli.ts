/** The command line. Exit codes: 0 done, 1 part failed, 2 unusable call. */
import { Command, CommanderError } from "commander";
import { closeDb } from "@/db/client";
import { explain } from "@/db/failure";
import { setImportThreads } from "@/lib/jobs/executors/importThreads";
import { forTerminal, UsageError } from "./cli/output";

setImportThreads(new URL("./importThread.mjs", import.meta.url));
// Whoever reads our output may have seen enough (| head): the work goes on, its exit code counts.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** Every verb, in the order of the help. Only the one that is called is loaded: most of a short call is loading. */
const VERBS: Record<string, () => Promise<Command>> = {
  import: async () => (await import("./cli/import")).importCommand(),
  list: async () => (await import("./cli/list")).listCommand(),
  show: async () => (await import("./cli/show")).showCommand(),
  search: async () => (await import("./cli/search")).searchCommand(),
  scan: async () => (await import("./cli/scan")).scanCommand(),
  localize: async () => (await import("./cli/localize")).localizeCommand(),
  measure: async () => (await import("./cli/measure")).measureCommand(),
  cost: async () => (await import("./cli/cost")).costCommand(),
  judge: async () => (await import("./cli/judge")).judgeCommand(),
  localizers: async () => (await import("./cli/localizers")).localizersCommand(),
  prefix: async () => (await import("./cli/prefix")).prefixCommand(),
  rerun: async () => (await import("./cli/rerun")).rerunCommand(),
  profile: async () => (await import("./cli/profile")).profileCommand(),
  evaluate: async () => (await import("./cli/evaluate")).evaluateCommand(),
  scores: async () => (await import("./cli/scores")).scoresCommand(),
  paper: async () => (await import("./cli/paper")).paperCommand(),
  export: async () => (await import("./cli/export")).exportCommand(),
  environment: async () => (await import("./cli/environment")).environmentCommand(),
  record: async () => (await import("./cli/record")).recordCommand(),
  pretrain: async () => (await import("./cli/pretrain")).pretrainCommand(),
  train: async () => (await import("./cli/train")).trainCommand(),
  recipes: async () => (await import("./cli/recipes")).recipesCommand(),
  bundle: async () => (await import("./cli/bundle")).bundleCommand(),
  launch: async () => (await import("./cli/launch")).launchCommand(),
  stats: async () => (await import("./cli/stats")).statsCommand(),
  suite: async () => (await import("./cli/suite")).suiteCommand(),
  review: async () => (await import("./cli/review")).reviewCommand(),
  taxonomy: async () => (await import("./cli/taxonomy")).taxonomyCommand(),
  "serve-policy": async () => (await import("./cli/servePolicy")).servePolicyCommand(),
  models: async () => (await import("./cli/models")).modelsCommand(),
  price: async () => (await import("./cli/price")).priceCommand(),
  usage: async () => (await import("./cli/usage")).usageCommand(),
  resume: async () => (await import("./cli/resume")).resumeCommand(),
  people: async () => (await import("./cli/people")).peopleCommand(),
  accounts: async () => (await import("./cli/accounts")).accountsCommand(),
  doctor: async () => (await import("./cli/doctor")).doctorCommand(),
  sandbox: async () => (await import("./cli/sandbox")).sandboxCommand(),
  backup: async () => (await import("./cli/backup")).backupCommand(),
  restore: async () => (await import("./cli/restore")).restoreCommand(),
};
/** Called by machines, not by people. */
const HIDDEN: typeof VERBS = { "slurm-item": async () => (await import("./cli/slurmItem")).slurmItemCommand() };

const program = new Command("misstep")
  // Options after a verb are that verb's own.
  .enablePositionalOptions()
  .description("Find the wrong steps that terminal agents keep repeating.")
  .exitOverride()
  .showHelpAfterError("(misstep <verb> --help tells more)");
const called = process.argv[2] ?? "";
const known = Object.hasOwn(VERBS, called) || Object.hasOwn(HIDDEN, called);
for (const [verb, load] of Object.entries(VERBS))
  if (!known || verb === called) program.addCommand((await load()).exitOverride());
for (const [verb, load] of Object.entries(HIDDEN))
  if (verb === called) program.addCommand((await load()).exitOverride(), { hidden: true });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`misstep: ${forTerminal(explain(error))}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
} finally {
  closeDb();
}
