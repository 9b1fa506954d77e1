// npm run bench [-- --only import,index,bundle] [-- --trajectories N]: measures, prints, and writes docs/bench.json.
import { checkNode, ensureBuilt, ensureInstalled, root } from "./support/bootstrap.mjs";

checkNode();
ensureInstalled();
await ensureBuilt();
// After the packages: it needs one of them.
const { runBundled } = await import("./support/bundle.mjs");
await runBundled(root, "bench", "scripts/bench/main.ts");
