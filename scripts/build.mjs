// npm run build: bundles and builds what changed.
import { checkNode, ensureBuilt, ensureInstalled } from "./support/bootstrap.mjs";

checkNode();
ensureInstalled();
await ensureBuilt();
