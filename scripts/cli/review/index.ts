import { Command } from "commander";
import { agreementCommand } from "./agreement";
import { createCommand } from "./create";
import { exportCommand, importCommand } from "./exchange";
import { listCommand } from "./list";
import { settleCommand } from "./settle";

/** misstep review */
export function reviewCommand(): Command {
  const command = new Command("review").description("what people say: queues, agreement, settling, work elsewhere");
  for (const make of [listCommand, createCommand, exportCommand, importCommand, agreementCommand, settleCommand])
    command.addCommand(make().exitOverride());
  return command;
}
