/** The command line. Exit codes: 0 done, 1 part failed, 2 unusable call. */
import { Command, CommanderError } from "commander";
import { ZodError } from "zod";
import { closeDb } from "@/db/client";
import { explain } from "@/db/failure";
import { setImportThreads } from "@/lib/jobs/executors/importThreads";
import { forTerminal, issuesText, UsageError } from "./cli/output";

setImportThreads(new URL("./importThread.mjs", import.meta.url));
// Whoever reads our output may have seen enough (| head): the work goes on, its exit code counts.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/** Every verb by what it is for, in the order of the help. Only the one that is called is loaded: most of a short call is loading. */
const GROUPS: Record<string, Record<string, () => Promise<Command>>> = {
  "Read what there is:": {
    import: async () => (await import("./cli/import")).importCommand(),
    list: async () => (await import("./cli/list")).listCommand(),
    show: async () => (await import("./cli/show")).showCommand(),
    search: async () => (await import("./cli/search")).searchCommand(),
    stats: async () => (await import("./cli/stats")).statsCommand(),
    export: async () => (await import("./cli/export")).exportCommand(),
  },
  "Find wrong steps:": {
    scan: async () => (await import("./cli/scan")).scanCommand(),
    localize: async () => (await import("./cli/localize")).localizeCommand(),
    localizers: async () => (await import("./cli/localizers")).localizersCommand(),
    profile: async () => (await import("./cli/profile")).profileCommand(),
    evaluate: async () => (await import("./cli/evaluate")).evaluateCommand(),
    taxonomy: async () => (await import("./cli/taxonomy")).taxonomyCommand(),
  },
  "Prefixes and states:": {
    prefix: async () => (await import("./cli/prefix")).prefixCommand(),
    rerun: async () => (await import("./cli/rerun")).rerunCommand(),
    record: async () => (await import("./cli/record")).recordCommand(),
  },
  "Train:": {
    train: async () => (await import("./cli/train")).trainCommand(),
    recipes: async () => (await import("./cli/recipes")).recipesCommand(),
    pretrain: async () => (await import("./cli/pretrain")).pretrainCommand(),
    bundle: async () => (await import("./cli/bundle")).bundleCommand(),
    launch: async () => (await import("./cli/launch")).launchCommand(),
  },
  "Measure:": {
    measure: async () => (await import("./cli/measure")).measureCommand(),
    scores: async () => (await import("./cli/scores")).scoresCommand(),
    judge: async () => (await import("./cli/judge")).judgeCommand(),
    cost: async () => (await import("./cli/cost")).costCommand(),
    paper: async () => (await import("./cli/paper")).paperCommand(),
  },
  "The study:": {
    study: async () => (await import("./cli/study")).studyCommand(),
  },
  "Check with people:": {
    review: async () => (await import("./cli/review")).reviewCommand(),
    people: async () => (await import("./cli/people")).peopleCommand(),
    accounts: async () => (await import("./cli/accounts")).accountsCommand(),
  },
  "Environments and models:": {
    environment: async () => (await import("./cli/environment")).environmentCommand(),
    suite: async () => (await import("./cli/suite")).suiteCommand(),
    sandbox: async () => (await import("./cli/sandbox")).sandboxCommand(),
    models: async () => (await import("./cli/models")).modelsCommand(),
    "serve-policy": async () => (await import("./cli/servePolicy")).servePolicyCommand(),
    price: async () => (await import("./cli/price")).priceCommand(),
    usage: async () => (await import("./cli/usage")).usageCommand(),
  },
  "This installation:": {
    doctor: async () => (await import("./cli/doctor")).doctorCommand(),
    resume: async () => (await import("./cli/resume")).resumeCommand(),
    backup: async () => (await import("./cli/backup")).backupCommand(),
    restore: async () => (await import("./cli/restore")).restoreCommand(),
  },
};
/** Called by machines, not by people. */
const HIDDEN: (typeof GROUPS)[string] = {
  "slurm-item": async () => (await import("./cli/slurmItem")).slurmItemCommand(),
};

/** Every level below a verb throws as it does: left alone, commander ends the process with 1 for an unusable call. */
function overrideExit(command: Command): Command {
  command.exitOverride();
  for (const one of command.commands) overrideExit(one as Command);
  return command;
}

const program = new Command("misstep")
  // Options after a verb are that verb's own.
  .enablePositionalOptions()
  .description("Find the wrong steps that terminal agents keep repeating.")
  .exitOverride()
  .showHelpAfterError("(misstep <verb> --help tells more)");
const called = process.argv[2] ?? "";
const known = [...Object.values(GROUPS), HIDDEN].some((verbs) => Object.hasOwn(verbs, called));
for (const [group, verbs] of Object.entries(GROUPS))
  for (const [verb, load] of Object.entries(verbs))
    if (!known || verb === called) program.addCommand(overrideExit((await load()).helpGroup(group)));
for (const [verb, load] of Object.entries(HIDDEN))
  if (verb === called) program.addCommand(overrideExit(await load()), { hidden: true });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`misstep: ${forTerminal(error instanceof ZodError ? issuesText(error) : explain(error))}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
} finally {
  closeDb();
}
