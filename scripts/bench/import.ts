import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { writeFolder } from "./folder";
import type { Measure } from "./measure";

const MB = 1e6;

interface ImportRun {
  /** The import job by itself: from being claimed to its end. */
  seconds: number;
  /** The job that fills the search index afterwards. */
  indexSeconds: number;
  /** The whole command, from start to exit: start-up, migrations, import and index. */
  commandSeconds: number;
  /** Processor time of the whole command, all threads. */
  cpuSeconds: number;
  peakMb: number;
}

const jobSeconds = (db: Database.Database, kind: string): number =>
  (db.prepare("select sum(finished_at - started_at) from job where kind = ?").pluck().get(kind) as number) / 1000;

/** Imports a folder in a process of its own, as a user would; peak resident memory comes from the kernel. */
function runImport(root: string, home: string, folder: string): ImportRun {
  const script = `
    const from = performance.now();
    process.argv = [process.argv[0], "misstep", "import", ${JSON.stringify(folder)}, "--json"];
    process.stdout.write = (text) => true;
    await import(${JSON.stringify(`file://${path.join(root, "dist/cli.mjs")}`)});
    const cpu = process.cpuUsage();
    process.stderr.write(JSON.stringify({ commandSeconds: (performance.now() - from) / 1000, cpuSeconds: (cpu.user + cpu.system) / 1e6, peakMb: process.resourceUsage().maxRSS / 1000 }) + "\\n");
  `;
  const runner = path.join(path.dirname(folder), "run.mjs");
  fs.writeFileSync(runner, script);
  const done = spawnSync(process.execPath, [runner], {
    cwd: root,
    env: { ...process.env, MISSTEP_HOME: home, MISSTEP_ROOT: root },
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const last = done.stderr.trim().split("\n").at(-1) ?? "";
  if (done.status !== 0) throw new Error(`the import ended with ${done.status}: ${done.stderr.slice(-2000)}`);
  const measured = JSON.parse(last) as Pick<ImportRun, "commandSeconds" | "cpuSeconds" | "peakMb">;
  const db = new Database(path.join(home, "misstep.db"), { readonly: true });
  try {
    return { ...measured, seconds: jobSeconds(db, "import"), indexSeconds: jobSeconds(db, "index") };
  } finally {
    db.close();
  }
}

/** Seconds that JSON.parse alone takes for the same files (read included, as the import reads them too). */
function parseSeconds(folder: string): number {
  const from = performance.now();
  for (const name of fs.readdirSync(folder)) JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
  return (performance.now() - from) / 1000;
}

/** Speed of the import job as a ratio to JSON.parse of the same bytes, in one run. The job that fills the search index comes after it and is told apart. */
export async function benchImport(work: string, say: (text: string) => void): Promise<Measure[]> {
  const root = process.env.MISSTEP_ROOT ?? process.cwd();
  const folder = path.join(work, "chat");
  const bytes = writeFolder(folder, 150 * MB, 11);
  const parse = Math.min(parseSeconds(folder), parseSeconds(folder), parseSeconds(folder));
  const runs = [1, 2, 3].map((n) => runImport(root, path.join(work, `home-${n}`), folder));
  const seconds = Math.min(...runs.map((r) => r.seconds));
  const ratio = Math.round((parse / seconds) * 1000) / 1000;
  say(`import: ${(bytes / MB / seconds).toFixed(1)} MB/s, JSON.parse ${(bytes / MB / parse).toFixed(1)} MB/s`);
  return [
    {
      name: "import speed against JSON.parse of the same bytes",
      value: ratio,
      unit: "x",
      budget: "at least 0.33",
      met: ratio >= 0.33,
      detail: {
        importMbPerSecond: Math.round(bytes / MB / seconds),
        parseMbPerSecond: Math.round(bytes / MB / parse),
        runs,
      },
    },
    {
      name: "whole import command, start-up and search index included, against JSON.parse",
      value: Math.round((parse / Math.min(...runs.map((r) => r.commandSeconds))) * 1000) / 1000,
      unit: "x",
      budget: "none",
      met: true,
    },
  ];
}

/** Peak memory of importing 1 GB. */
export async function benchLargeImport(work: string, say: (text: string) => void): Promise<Measure[]> {
  const root = process.env.MISSTEP_ROOT ?? process.cwd();
  const folder = path.join(work, "large");
  const bytes = writeFolder(folder, 1000 * MB, 12);
  const { seconds, peakMb } = runImport(root, path.join(work, "home-large"), folder);
  fs.rmSync(folder, { recursive: true });
  say(`1 GB: ${seconds.toFixed(0)} s, peak ${peakMb.toFixed(0)} MB`);
  return [
    {
      name: "peak memory of importing a 1 GB folder",
      value: Math.round(peakMb),
      unit: "MB",
      budget: "under 700",
      met: peakMb < 700,
      detail: { bytes, seconds: Math.round(seconds) },
    },
  ];
}
