import { Command } from "commander";
import { paperExport } from "@/lib/evaluate/paper/export";

/** misstep paper */
export function paperCommand(): Command {
  return new Command("paper").description("the published study that is drawn beside one's own").addCommand(
    new Command("export")
      .description("print every published number we hold, as JSON of the schema mirl-paper/1")
      .action(() => {
        process.stdout.write(`${JSON.stringify(paperExport(), null, 1)}\n`);
      }),
  );
}
