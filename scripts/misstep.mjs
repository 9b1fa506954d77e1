// npm run -s misstep -- <verb>: the command line. Works on a fresh clone.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkNode, ensureBundled, ensureInstalled, root } from "./support/bootstrap.mjs";

checkNode();
ensureInstalled();
await ensureBundled();
process.env.MISSTEP_ROOT ??= root;
await import(pathToFileURL(path.join(root, "dist/cli.mjs")).href);
