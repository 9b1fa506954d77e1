import fs from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { parseCommands } from "@/lib/environment/commands";
import { EnvironmentRefused } from "@/lib/environment/refused";
import type { TestRun } from "@/lib/environment/types";
import { recordCommands } from "@/lib/profile/record";
import { type DriverName, SandboxFailure } from "@/lib/sandbox/types";
import { formatReward } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { driverOption, environmentOf, openWithOwn, withHost } from "./environment";
import { callerPath, type JsonOption, print, UsageError } from "./output";
import { indexTexts } from "./runJob";

interface RecordOptions extends JsonOption {
  commands: string;
  name?: string;
  thinking?: boolean;
  test?: boolean;
  timeout?: number;
  driver?: DriverName;
}

const HELP = `
The file of commands, by the ending of its name:
  .jsonl          a line an entry: "ls -la", or {"command": "…", "thinking": "…"}
  .yaml .yml .json  a list of such entries; commands may have several lines
  anything else   one command a line; empty lines and lines that begin with # are left out
                  (with --thinking, # lines are the thinking of the command below them)

Each command runs as a policy's would: directory and exported variables persist, 120 s each. The recording ends at
COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT. If the sandbox fails, nothing is stored.
Exit codes: 0 recorded, 1 the environment cannot run here or the sandbox failed, 2 unusable call.`;

function seconds(text: string): number {
  const n = Number(text);
  if (!(n > 0 && n <= 86_400)) throw new InvalidArgumentError("seconds, more than 0 and at most 86400");
  return n;
}

function readCommands(given: string, thinking: boolean) {
  const file = callerPath(given);
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`${file}: there is no such file`);
  try {
    return parseCommands(fs.readFileSync(file, "utf8"), file, { thinking });
  } catch (error) {
    if (error instanceof EnvironmentRefused) throw new UsageError(error.message);
    throw error;
  }
}

/** misstep record ENV --commands FILE */
export function recordCommand(): Command {
  return new Command("record")
    .description("run a list of commands in a fresh sandbox of an environment and store the trajectory")
    .argument("<environment>", "id or name")
    .requiredOption("--commands <file>", "the commands; see below")
    .option("--name <name>", "name of the trajectory")
    .option("--thinking", "in a text file, take # lines as the thinking of the next command")
    .option("--test", "run the hidden tests afterwards and store the outcome")
    .option("--timeout <seconds>", "time a command may take (default 120)", seconds)
    .addOption(driverOption())
    .option("--json", "print what was stored as JSON")
    .addHelpText("after", HELP)
    .action(async (given: string, options: RecordOptions) => {
      const commands = readCommands(options.commands, options.thinking ?? false);
      const db = openWithOwn();
      const environment = environmentOf(db, given);
      const { name, test, driver, timeout } = options;
      const ran: { command: string; exitCode: number; durationMs: number }[] = [];
      let tests: TestRun | null = null;
      let id: number;
      try {
        id = await withHost((host) =>
          recordCommands(db, host, environment.id, commands, {
            ...(name === undefined ? {} : { name }),
            ...(driver ? { driver } : {}),
            ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
            test: test ?? false,
            onTests: (run) => {
              tests = run;
            },
            onStep: (number, command, result) => {
              ran.push({ command, exitCode: result.exitCode, durationMs: result.durationMs });
              if (options.json) return;
              const line = visible(command.split("\n")[0] ?? "");
              process.stdout.write(
                `${String(number).padStart(3)}  exit ${String(result.exitCode).padEnd(3)}  ${line}\n`,
              );
            },
          }),
        );
      } catch (error) {
        if (!(error instanceof SandboxFailure)) throw error;
        process.stderr.write(`misstep: nothing was stored. ${error.message}\n`);
        process.exitCode = 1;
        return;
      }
      await indexTexts(db);
      const run = tests as TestRun | null;
      const outcome =
        run === null
          ? ""
          : run.status === "void"
            ? `; tests void: ${run.voidReason}`
            : `; r_o = ${formatReward(run.reward ?? Number.NaN)}`;
      print(
        options,
        { trajectory: id, environment: environment.id, steps: ran, tests: run },
        () => `trajectory ${id}: ${ran.length} of ${commands.length} commands${outcome}`,
      );
    });
}
