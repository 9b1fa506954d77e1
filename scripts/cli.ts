/** The command line. Exit codes: 0 done, 1 part failed, 2 unusable call. */
import { Command, CommanderError } from "commander";
import { closeDb } from "@/db/client";
import { explain } from "@/db/failure";
import { setImportThreads } from "@/lib/jobs/executors/importThreads";
import { backupCommand } from "./cli/backup";
import { bundleCommand } from "./cli/bundle";
import { costCommand } from "./cli/cost";
import { doctorCommand } from "./cli/doctor";
import { environmentCommand } from "./cli/environment";
import { evaluateCommand } from "./cli/evaluate";
import { exportCommand } from "./cli/export";
import { importCommand } from "./cli/import";
import { judgeCommand } from "./cli/judge";
import { launchCommand } from "./cli/launch";
import { listCommand } from "./cli/list";
import { localizeCommand } from "./cli/localize";
import { localizersCommand } from "./cli/localizers";
import { measureCommand } from "./cli/measure";
import { modelsCommand } from "./cli/models";
import { forTerminal, UsageError } from "./cli/output";
import { paperCommand } from "./cli/paper";
import { prefixCommand } from "./cli/prefix";
import { pretrainCommand } from "./cli/pretrain";
import { priceCommand } from "./cli/price";
import { profileCommand } from "./cli/profile";
import { recipesCommand } from "./cli/recipes";
import { recordCommand } from "./cli/record";
import { rerunCommand } from "./cli/rerun";
import { restoreCommand } from "./cli/restore";
import { resumeCommand } from "./cli/resume";
import { sandboxCommand } from "./cli/sandbox";
import { scanCommand } from "./cli/scan";
import { scoresCommand } from "./cli/scores";
import { searchCommand } from "./cli/search";
import { servePolicyCommand } from "./cli/servePolicy";
import { showCommand } from "./cli/show";
import { slurmItemCommand } from "./cli/slurmItem";
import { statsCommand } from "./cli/stats";
import { suiteCommand } from "./cli/suite";
import { taxonomyCommand } from "./cli/taxonomy";
import { trainCommand } from "./cli/train";
import { usageCommand } from "./cli/usage";

setImportThreads(new URL("./importThread.mjs", import.meta.url));
// Whoever reads our output may have seen enough (| head): the work goes on, its exit code counts.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

const program = new Command("misstep")
  // Options after a verb are that verb's own.
  .enablePositionalOptions()
  .description("Find the wrong steps that terminal agents keep repeating.")
  .exitOverride()
  .showHelpAfterError("(misstep <verb> --help tells more)");
for (const command of [
  importCommand,
  listCommand,
  showCommand,
  searchCommand,
  scanCommand,
  localizeCommand,
  measureCommand,
  costCommand,
  judgeCommand,
  localizersCommand,
  prefixCommand,
  rerunCommand,
  profileCommand,
  evaluateCommand,
  scoresCommand,
  paperCommand,
  exportCommand,
  environmentCommand,
  recordCommand,
  pretrainCommand,
  trainCommand,
  recipesCommand,
  bundleCommand,
  launchCommand,
  statsCommand,
  suiteCommand,
  taxonomyCommand,
  servePolicyCommand,
  modelsCommand,
  priceCommand,
  usageCommand,
  resumeCommand,
  doctorCommand,
  sandboxCommand,
  backupCommand,
  restoreCommand,
]) {
  program.addCommand(command().exitOverride());
}
program.addCommand(slurmItemCommand().exitOverride(), { hidden: true });

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
