import path from "node:path";
import { defineConfig } from "vitest/config";
import { testFiles } from "./scripts/support/testFiles.mjs";

const root = import.meta.dirname;
const { own, shared } = testFiles(root);

export default defineConfig({
  resolve: { alias: { "@": root, "server-only": path.join(root, "scripts/support/empty.ts") } },
  test: {
    environment: "node",
    pool: "forks",
    // Most of the time goes into waiting for sandboxes, servers and workers: two files at a time even on two cores.
    maxWorkers: 2,
    testTimeout: 30_000,
    // A failed match of a log shows the log.
    chaiConfig: { truncateThreshold: 4000 },
    globalSetup: ["scripts/support/setupForTests.mjs"],
    projects: [
      { extends: true, test: { name: "own", include: own } },
      { extends: true, test: { name: "shared", include: shared, isolate: false } },
    ],
  },
});
