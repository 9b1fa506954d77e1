import fs from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { measurementBundle } from "@/lib/evaluate/behavior/bundle";
import { callerPath, openIndex, parseId, UsageError } from "./output";
import { writeWhole } from "./writeFile";

/** misstep measure bundle ID FILE */
export function bundleCommand(): Command {
  return new Command("bundle")
    .argument("<id>", "number of the measurement", parseId)
    .argument("<path>", "an .html file, or a folder for measurement-ID.html")
    .description("write a measurement as one HTML file that reads without a server, network or script")
    .action((id: number, given: string) => {
      const html = measurementBundle(openIndex(), id);
      if (html === null) throw new UsageError(`there is no measurement ${id}; misstep measure makes one`);
      const target = callerPath(given);
      const isFile = /\.html?$/i.test(target) && !(fs.existsSync(target) && fs.statSync(target).isDirectory());
      const file = isFile ? target : path.join(target, `measurement-${id}.html`);
      writeWhole(file, [html]);
      process.stdout.write(`${file}\n`);
    });
}
