import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { defineConfig, devices } from "playwright/test";

const port = Number(process.env.E2E_PORT ?? 3939);
// A fresh home for each run; the web server, the worker and the specs share it. It goes when the server has stopped.
const home = process.env.E2E_HOME ?? path.join(os.tmpdir(), `misstep-e2e-${process.pid}`);
if (!process.env.E2E_HOME) process.on("exit", () => fs.rmSync(home, { recursive: true, force: true }));
process.env.E2E_HOME = home;

export default defineConfig({
  testDir: "./e2e",
  workers: 1,
  fullyParallel: false,
  forbidOnly: !!process.env.CI,
  retries: 0,
  timeout: 60_000,
  reporter: "list",
  outputDir: "test-results",
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // A trace takes as long again as the test: E2E_TRACE=1 keeps those of failures.
    trace: process.env.E2E_TRACE ? "retain-on-failure" : "off",
  },
  projects: [
    {
      name: "chromium",
      use: {
        ...devices["Desktop Chrome"],
        launchOptions: {
          executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
          args: [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
          ],
        },
      },
    },
  ],
  webServer: {
    // The specs look at a small recorded sample; what ships has a spec of its own, with a server of its own.
    command: `node scripts/misstep.mjs import e2e/fixtures/sample && exec node scripts/start.mjs --port ${port}`,
    url: `http://127.0.0.1:${port}/api/health`,
    reuseExistingServer: false,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 8_000 },
    stdout: "pipe",
    env: { MISSTEP_HOME: home, MISSTEP_STUDY: "off", MISSTEP_IMPORT_ROOTS: os.tmpdir() },
  },
});
