import { Command } from "commander";
import { buildCommand } from "./build";
import { editCommands } from "./edit";
import { diffCommand, exportCommand, importCommand, inForceCommand, relabelCommand } from "./exchange";
import { listCommand, showCommand } from "./show";

/** misstep taxonomy */
export function taxonomyCommand(): Command {
  const command = new Command("taxonomy").description("the types of error: build, look at, edit, compare, exchange");
  for (const sub of [
    listCommand(),
    showCommand(),
    buildCommand(),
    relabelCommand(),
    diffCommand(),
    exportCommand(),
    importCommand(),
    inForceCommand(),
    ...editCommands(),
  ])
    command.addCommand(sub.exitOverride());
  return command;
}
