// npm run coverage [-- --studies N]: simulates studies, prints, and writes docs/coverage.json and .md.
import { checkNode, ensureInstalled, root } from "./support/bootstrap.mjs";

checkNode();
ensureInstalled();
// After the packages: it needs one of them.
const { runBundled } = await import("./support/bundle.mjs");
await runBundled(root, "coverage", "scripts/intervals/main.ts");
