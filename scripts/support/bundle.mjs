import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Bundles the Node entry points into dist/. Packages stay outside; `@/…` is resolved by tsconfig. */
export async function bundle(root) {
  await build({
    absWorkingDir: root,
    entryPoints: {
      cli: "scripts/cli.ts",
      worker: "scripts/worker.ts",
      importThread: "scripts/importThread.ts",
      doctorThread: "scripts/doctorThread.ts",
      web: "scripts/web.ts",
      setup: "scripts/setup.ts",
      sandboxHost: "scripts/sandboxHost.ts",
    },
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    alias: { "server-only": path.join(root, "scripts/support/empty.ts") },
    sourcemap: true,
    logLevel: "warning",
  });
}

/** Bundles a script of ours into dist/ and runs it here. */
export async function runBundled(root, name, entry) {
  await build({
    absWorkingDir: root,
    entryPoints: { [name]: entry },
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
  await import(pathToFileURL(path.join(root, `dist/${name}.mjs`)).href);
}

/** The sandbox host alone, in one file. */
export async function bundleSandboxHost(root, outfile) {
  await build({
    absWorkingDir: root,
    entryPoints: ["scripts/sandboxHost.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    alias: { "server-only": path.join(root, "scripts/support/empty.ts") },
    sourcemap: "inline",
    logLevel: "warning",
  });
}
