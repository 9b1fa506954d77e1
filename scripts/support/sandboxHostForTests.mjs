import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ensureBundled } from "./bootstrap.mjs";
import { bundleSandboxHost } from "./bundle.mjs";

/** Tests run from source; what they start (the sandbox host, the command line, workers) is bundled once for all of them. */
export default async function setup() {
  await ensureBundled();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-sandbox-host-"));
  const file = path.join(dir, "sandboxHost.mjs");
  await bundleSandboxHost(path.resolve(import.meta.dirname, "../.."), file);
  process.env.MISSTEP_SANDBOX_HOST = file;
  return () => fs.rmSync(dir, { recursive: true, force: true });
}
