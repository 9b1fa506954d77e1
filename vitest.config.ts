import path from "node:path";
import { defineConfig } from "vitest/config";

const root = import.meta.dirname;

export default defineConfig({
  resolve: { alias: { "@": root, "server-only": path.join(root, "scripts/support/empty.ts") } },
  test: {
    include: ["{app,components,lib,db,scripts}/**/*.test.{ts,tsx}"],
    environment: "node",
    pool: "forks",
    // Most of the time goes into waiting for sandboxes, servers and workers: two files at a time even on two cores.
    maxWorkers: 2,
    testTimeout: 30_000,
    globalSetup: ["scripts/support/sandboxHostForTests.mjs"],
  },
});
