import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { LaunchOptions } from "playwright";

/** Chromium of this machine, as the browser tests start it. */
export function chromiumOptions(): LaunchOptions {
  const found = [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ].find((file) => file !== undefined && fs.existsSync(file));
  if (found === undefined)
    throw new Error("this needs Chromium: apt-get install chromium (or set CHROMIUM_PATH to a Chrome)");
  return {
    executablePath: found,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
  };
}

/** Copies a home folder as it lies, without locks and sockets: those are the running server's. */
export function copyHome(from: string, to: string): void {
  const kept = (name: string) => {
    const stat = fs.lstatSync(name);
    return !name.endsWith(".lock") && (stat.isFile() || stat.isDirectory());
  };
  fs.cpSync(from, to, { recursive: true, filter: kept });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a built server on a home folder, and waits until it answers and what a start sets going has ended. */
export async function serve(
  root: string,
  home: string,
  port: number,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const server = spawn(process.execPath, [path.join(root, "scripts/start.mjs"), "--port", String(port)], {
    cwd: root,
    env: { ...process.env, MISSTEP_HOME: home, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async () => {
    const gone = server.exitCode !== null || new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await gone;
  };
  const origin = `http://127.0.0.1:${port}`;
  try {
    for (let tries = 0; ; tries++) {
      if ((await fetch(`${origin}/api/health`).catch(() => null))?.ok) break;
      if (server.exitCode !== null) throw new Error("the server ended while it started");
      if (tries > 900) throw new Error("the server did not start in three minutes");
      await pause(200);
    }
    for (let tries = 0; tries < 1500; tries++) {
      const { jobs } = (await (await fetch(`${origin}/api/v1/jobs?limit=100`)).json()) as {
        jobs: { status: string }[];
      };
      if (jobs.every(({ status }) => status !== "queued" && status !== "running")) break;
      await pause(200);
    }
    return { origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
