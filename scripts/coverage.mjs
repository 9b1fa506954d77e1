// npm run coverage [-- --studies N]: simulates studies, prints, and writes docs/coverage.json and .md.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkNode, ensureInstalled, root } from "./support/bootstrap.mjs";

checkNode();
ensureInstalled();
const { build } = await import("esbuild");
await build({
  absWorkingDir: root,
  entryPoints: { coverage: "scripts/coverage/main.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  alias: { "server-only": path.join(root, "scripts/support/empty.ts") },
  sourcemap: true,
  logLevel: "warning",
});
process.env.MISSTEP_ROOT = root;
await import(pathToFileURL(path.join(root, "dist/coverage.mjs")).href);
