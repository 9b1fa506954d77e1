import { Command } from "commander";
import { buildRoot } from "@/lib/sandbox/buildRoot";
import { connectSandboxHost } from "@/lib/sandbox/client";
import { type JsonOption, print } from "./output";

/** misstep sandbox build-root | drivers */
export function sandboxCommand(): Command {
  const command = new Command("sandbox").description("what commands of trajectories run in");
  command
    .command("build-root")
    .description("build the Debian root of sandboxes with debootstrap (as root, once; about a minute)")
    .option("--again", "build it anew; sandboxes started later have another digest")
    .option("--json", "print the result as JSON")
    .action(async (options: JsonOption & { again?: boolean }) => {
      const result = await buildRoot(options, (text) => process.stderr.write(`${text}\n`));
      print(options, result, () => [
        `${result.built ? "built" : "there already"}: ${result.dir}`,
        `digest ${result.digest}`,
      ]);
    });
  command
    .command("drivers")
    .description("which drivers work here, and what the others need")
    .option("--json", "print them as JSON")
    .action(async (options: JsonOption) => {
      const host = await connectSandboxHost();
      const drivers = await host.drivers();
      await host.close();
      print(options, drivers, () =>
        drivers.flatMap((d) => [
          `${d.usable ? "usable" : "not   "}  ${d.driver} ${d.version ?? ""}${d.reason ? `: ${d.reason}` : ""}`,
          ...(d.install ? [`        → ${d.install}`] : []),
          ...d.notes.map((note) => `        ${note}`),
        ]),
      );
    });
  return command;
}
