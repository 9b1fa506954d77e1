import { Command } from "commander";
import { doctor } from "@/lib/jobs/doctor";
import { sandboxChecks } from "@/lib/jobs/doctorSandbox";
import { type JsonOption, openIndex, print } from "./output";

/** misstep doctor */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description("tell what works here, what does not, and what to do about it")
    .option("--json", "print the checks as JSON")
    .action(async (options: JsonOption) => {
      const checks = [...doctor(openIndex()), ...(await sandboxChecks())];
      print(options, checks, () =>
        checks.map((c) => `${c.level.padEnd(4)}  ${c.name}: ${c.detail}${c.fix ? `\n      → ${c.fix}` : ""}`),
      );
      if (checks.some((c) => c.level === "fail")) process.exitCode = 1;
    });
}
