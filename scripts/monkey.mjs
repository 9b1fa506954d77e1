// npm run monkey [-- --walks 200 --actions 50 --seed 1 --home DIR]: random walks over all pages of a server on a copy of an index.
import { checkNode, ensureBuilt, ensureInstalled, root } from "./support/bootstrap.mjs";

checkNode();
ensureInstalled();
await ensureBuilt();
// After the packages: it needs one of them.
const { runBundled } = await import("./support/bundle.mjs");
await runBundled(root, "monkey", "scripts/monkey/main.ts");
