import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { stopJobs, type Walk, walk } from "@/e2e/support/monkey";
import { addresses } from "@/e2e/support/pages";
import { chromiumOptions, copyHome, serve } from "@/scripts/support/browse";

const { values } = parseArgs({
  options: {
    walks: { type: "string", default: "200" },
    actions: { type: "string", default: "50" },
    /** Of the first walk; the next ones count up. */
    seed: { type: "string", default: "1" },
    /** Walks at once. */
    parallel: { type: "string", default: "2" },
    /** A home folder whose copy is walked over; without: the shipped study. */
    home: { type: "string" },
    port: { type: "string", default: "4749" },
  },
});
const root = process.env.MISSTEP_ROOT ?? process.cwd();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-monkey-"));
const [walks, actions, first, parallel] = [values.walks, values.actions, values.seed, values.parallel].map(Number) as [
  number,
  number,
  number,
  number,
];

const failed: Walk[] = [];
try {
  if (values.home !== undefined) copyHome(values.home, work);
  const { origin, stop } = await serve(root, work, Number(values.port));
  const browser = await chromium.launch(chromiumOptions());
  try {
    const { all, without } = addresses(root, path.join(work, "misstep.db"));
    process.stdout.write(`${all.length} addresses; nothing to show for ${without.join(", ") || "none"}\n`);
    let next = first;
    let done = 0;
    const lane = async () => {
      while (next < first + walks) {
        const made = await walk(browser, { origin, pages: all, seed: next++, actions });
        done++;
        if (made.fault !== null) {
          failed.push(made);
          process.stdout.write(
            `walk ${made.seed} failed: ${made.fault}\n${made.lines.map((line) => `  ${line}`).join("\n")}\n  again: npm run monkey -- --walks 1 --seed ${made.seed} --actions ${actions}\n`,
          );
        }
        if (done % 10 === 0) process.stdout.write(`${done} of ${walks} walks, ${failed.length} failed\n`);
        await stopJobs(origin);
      }
    };
    await Promise.all(Array.from({ length: parallel }, lane));
  } finally {
    await browser.close();
    await stop();
  }
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`${walks} walks of ${actions} actions: ${failed.length} failed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
