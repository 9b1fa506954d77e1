import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { bundleSandboxHost } from "./bundle.mjs";

/** Tests run from source; the sandbox host they start is bundled once for all of them. */
export default async function setup() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-sandbox-host-"));
  const file = path.join(dir, "sandboxHost.mjs");
  await bundleSandboxHost(path.resolve(import.meta.dirname, "../.."), file);
  process.env.MISSTEP_SANDBOX_HOST = file;
  return () => fs.rmSync(dir, { recursive: true, force: true });
}
