import path from "node:path";
import { defineConfig } from "vitest/config";

const root = import.meta.dirname;

export default defineConfig({
  resolve: { alias: { "@": root, "server-only": path.join(root, "scripts/support/empty.ts") } },
  test: {
    include: ["{app,components,lib,db,scripts}/**/*.test.{ts,tsx}"],
    environment: "node",
    pool: "forks",
    testTimeout: 30_000,
    globalSetup: ["scripts/support/sandboxHostForTests.mjs"],
  },
});
