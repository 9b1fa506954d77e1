import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBundled } from "./bootstrap.mjs";
import { bundleSandboxHost } from "./bundle.mjs";

/**
 * Tests run from source; what they start (the sandbox host, the command line, workers) is bundled once for all of them.
 * Everything that a run writes is below one folder, which goes with it: files that share a worker share their modules too,
 * so what a helper asks to be removed after "all" is removed after the first of them only.
 */
export default async function setup() {
  await ensureBundled();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "mt-")); // short: paths of sockets are
  // Some tests start sandboxes as a plain user, or a Slurm with users of its own.
  fs.chmodSync(dir, 0o755);
  process.env.TMPDIR = dir;
  const file = path.join(dir, "sandboxHost.mjs");
  await bundleSandboxHost(path.resolve(import.meta.dirname, "../.."), file);
  process.env.MISSTEP_SANDBOX_HOST = file;
  return () => fs.rmSync(dir, { recursive: true, force: true });
}
