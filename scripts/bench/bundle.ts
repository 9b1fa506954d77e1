import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import type { Measure } from "./measure";

const PORT = 4747;

async function page(url: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const response = await fetch(url);
      if (response.ok) return await response.text();
      throw new Error(`${url}: ${response.status}`);
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Gzipped bytes of every script the HTML makes a present browser load (those marked noModule are for old ones). */
function scriptBytes(root: string, page: string): number {
  const html = page.replaceAll(/<script[^>]*\bnomodule\b[^>]*>/gi, "");
  const names = new Set([...html.matchAll(/\/_next\/(static\/[^"'\\\s?]+\.js)/g)].map((m) => m[1] as string));
  let bytes = 0;
  for (const name of names) {
    const file = path.join(root, ".next", name);
    if (fs.existsSync(file)) bytes += zlib.gzipSync(fs.readFileSync(file)).length;
  }
  return bytes;
}

/** First-load JavaScript of the reader, served from the sample. */
export async function benchBundle(root: string, say: (text: string) => void): Promise<Measure[]> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-bench-home-"));
  const server = spawn(process.execPath, [path.join(root, "scripts/start.mjs"), "--port", String(PORT)], {
    cwd: root,
    env: { ...process.env, MISSTEP_HOME: home, NODE_ENV: "production" },
    stdio: "ignore",
  });
  try {
    const base = `http://127.0.0.1:${PORT}`;
    await page(`${base}/api/health`);
    for (let tries = 0; tries < 100; tries++) {
      const jobs = JSON.parse(await page(`${base}/api/jobs`)) as { finishedAt: number | null }[];
      if (jobs.length > 0 && jobs.every((job) => job.finishedAt !== null)) break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const measures: Measure[] = [];
    for (const [name, url, budget] of [
      ["reader", "/trajectories/1", 250_000],
      ["list", "/trajectories", null],
      ["misbehaviors (charts)", "/misbehaviors", null],
    ] as const) {
      const bytes = scriptBytes(root, await page(base + url));
      say(`${name}: ${(bytes / 1000).toFixed(0)} kB gzip`);
      measures.push({
        name: `first-load JavaScript, ${name}`,
        value: Math.round(bytes / 1000),
        unit: "kB gzip",
        budget: budget === null ? "none" : `under ${budget / 1000}`,
        met: budget === null || bytes < budget,
      });
    }
    return measures;
  } finally {
    const gone = server.exitCode !== null || new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await gone;
    fs.rmSync(home, { recursive: true, force: true });
  }
}
