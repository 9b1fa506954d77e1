import path from "node:path";
import { Command, Option } from "commander";
import { projectRoot } from "@/db/home";
import { StudyStopped } from "@/lib/study/context";
import { DESIGNS, type StudyDesign, studyDesign } from "@/lib/study/design";
import { PHASE_NAMES } from "@/lib/study/phaseNames";
import { beginStudy, runStudy, type StudyProgress } from "@/lib/study/run";
import { PHASES, readStudy, workedMs } from "@/lib/study/state";
import { formatDuration } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";
import { whole } from "./prefix";
import { indexTexts, seeThrough } from "./runJob";
import { packCommand } from "./studyPack";
import { reportCommand, writeReport } from "./studyReport";
import { readSettingsFile } from "./train";

interface RunOptions {
  quick?: boolean;
  full?: boolean;
  design?: string;
  seed?: number;
  home?: string;
}

function designOf({ quick, full, design, seed }: RunOptions): StudyDesign {
  if ([quick, full, design].filter(Boolean).length > 1) throw new UsageError("choose one of --quick, --full, --design");
  const given = design === undefined ? DESIGNS[full ? "full" : "quick"] : readSettingsFile(design);
  const read = studyDesign.safeParse({ ...given, ...(seed === undefined ? {} : { seed }) });
  if (read.success) return read.data;
  throw new UsageError(read.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`).join("; "));
}

const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;

/** Progress in one line that is written over on a terminal, and in a line a minute elsewhere. */
function teller() {
  let said = 0;
  return ({ phase, share, leftMs, job }: StudyProgress): void => {
    const left = leftMs === null ? "" : `, about ${formatDuration(leftMs)} left`;
    const doing = job === null ? "" : `: ${job.title}`;
    const line = `${percent(share)}${left}  ${PHASE_NAMES[phase]}${doing}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    else if (Date.now() - said > 60_000) {
      said = Date.now();
      process.stderr.write(`${line}\n`);
    }
  };
}

function runCommand(): Command {
  return new Command("run")
    .description(
      "the whole method from one seed: profile, taxonomy, prefixes, rerun check, trainings, selection, measurements. Goes on where it was stopped",
    )
    .option("--quick", "at most 15 minutes on two idle cores (the default)")
    .option("--full", "at most two hours on two idle cores")
    .option("--design <file>", "a design of your own (JSON; see misstep study design)")
    .option("--seed <n>", "everything drawn comes from it", whole(0, Number.MAX_SAFE_INTEGER))
    .option("--home <folder>", "where it is kept (default: .misstep/studies/SCALE-SEED)")
    .action(async (options: RunOptions) => {
      const design = designOf(options);
      process.env.MISSTEP_HOME =
        options.home === undefined
          ? path.join(projectRoot(), ".misstep/studies", `${design.scale}-${design.seed}`)
          : callerPath(options.home);
      const folder = process.env.MISSTEP_HOME;
      const db = openIndex();
      process.stdout.write(`study ${design.scale}, seed ${design.seed}, in ${folder}\n`);
      const tell = teller();
      try {
        const state = beginStudy(db, design);
        await runStudy(db, state, {
          see: (jobId) => seeThrough(db, jobId, { tell: false }),
          onPhase(phase, what) {
            if (what === "starts") return;
            if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
            process.stdout.write(
              `${PHASE_NAMES[phase].padEnd(30)} ${formatDuration(workedMs(state, phase))}${what === "was there" ? " (done before)" : ""}\n`,
            );
          },
          onProgress: tell,
        });
        await indexTexts(db);
        for (const file of writeReport(db, state, folder)) process.stdout.write(`${file}\n`);
      } catch (error) {
        if (error instanceof StudyStopped) throw new UsageError(error.message);
        throw error;
      }
      process.stdout.write(`look at it: npm start -- --home ${folder}, page /study\n`);
    });
}

function showCommand(): Command {
  return new Command("show")
    .description("what the study of this index has made so far")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const state = readStudy(openIndex());
      if (!state) throw new UsageError("this index holds no study; misstep study run makes one in a folder of its own");
      print(options, state, () => [
        `study ${state.design.scale}, seed ${state.design.seed}, on ${state.machine.cores} cores (${state.machine.cpu}), Node ${state.machine.node}`,
        ...PHASES.map((phase) => {
          const time = state.times[phase];
          const took = !time
            ? "not begun"
            : time.finishedAt === null
              ? `begun, ${formatDuration(time.ms)} so far`
              : formatDuration(time.ms);
          return `  ${PHASE_NAMES[phase].padEnd(30)} ${took}`;
        }),
      ]);
    });
}

function designCommand(): Command {
  return new Command("design")
    .description("print a design as JSON, to change and give to misstep study run --design")
    .addOption(new Option("--scale <scale>", "which").choices(["quick", "full"]).default("quick"))
    .action(({ scale }: { scale: "quick" | "full" }) => {
      process.stdout.write(`${JSON.stringify(DESIGNS[scale], null, 2)}\n`);
    });
}

/** misstep study */
export function studyCommand(): Command {
  return new Command("study")
    .description("the whole method in one command, in a folder of its own")
    .addCommand(runCommand().exitOverride())
    .addCommand(showCommand().exitOverride())
    .addCommand(reportCommand().exitOverride())
    .addCommand(designCommand().exitOverride())
    .addCommand(packCommand().exitOverride());
}
