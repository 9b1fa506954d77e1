// npm run bench [-- --only import,index,bundle] [-- --trajectories N]: measures, prints, and writes docs/bench.json.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkNode, ensureBuilt, ensureInstalled, root } from "./support/bootstrap.mjs";

checkNode();
ensureInstalled();
await ensureBuilt();
const { build } = await import("esbuild");
await build({
  absWorkingDir: root,
  entryPoints: { bench: "scripts/bench/main.ts" },
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
await import(pathToFileURL(path.join(root, "dist/bench.mjs")).href);
