import fs from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { measurementBundle } from "@/lib/evaluate/behavior/bundle";
import { callerPath, openIndex, parseId, UsageError } from "./output";

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
      fs.mkdirSync(path.dirname(file), { recursive: true });
      const partial = `${file}.${process.pid}.partial`;
      try {
        fs.writeFileSync(partial, html);
        fs.renameSync(partial, file);
      } finally {
        fs.rmSync(partial, { force: true });
      }
      process.stdout.write(`${file}\n`);
    });
}
