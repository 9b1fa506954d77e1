import type { Tree, TreeNode } from "./files/tree";

export type FolderKind =
  | "harbor-trial"
  | "harbor-job"
  | "openhands-v1"
  | "openhands-v0"
  | "terminal-bench"
  | "terminal-bench-run"
  | "harbor-task";

const has = (nodes: readonly TreeNode[], name: string, kind: TreeNode["kind"]) =>
  nodes.some((node) => node.name === name && node.kind === kind);

async function headHas(tree: Tree, file: string, ...words: string[]): Promise<boolean> {
  const head = (await tree.head(file, 8192)).toString("latin1");
  return words.some((word) => head.includes(word));
}

/** What a folder is as a whole, from the names in it and the beginning of its index file; null when its files stand alone. */
export async function folderKind(tree: Tree, folder: string, nodes: readonly TreeNode[]): Promise<FolderKind | null> {
  const file = (name: string) => has(nodes, name, "file");
  if (file("config.json") || file("result.json")) {
    const index = file("result.json") ? "result.json" : "config.json";
    if (await headHas(tree, folder + index, '"trial_name"', '"trial_uri"')) {
      if (index === "result.json" || has(nodes, "agent", "folder")) return "harbor-trial";
    }
    if (file("config.json") && (await headHas(tree, `${folder}config.json`, '"job_name"'))) return "harbor-job";
    if (file("result.json") && (await headHas(tree, `${folder}result.json`, '"n_total_trials"'))) return "harbor-job";
  }
  if (file("task.toml") && file("instruction.md")) return "harbor-task";
  if (file("results.json")) {
    if (["panes", "sessions", "agent-logs"].some((name) => has(nodes, name, "folder")) || file("commands.txt"))
      return "terminal-bench";
    if (file("run_metadata.json") && nodes.some((node) => node.kind === "folder")) return "terminal-bench-run";
  }
  if (has(nodes, "events", "folder")) {
    const events = await tree.list(`${folder}events/`);
    if (events.some((node) => /^event-\d+-.*\.json$/.test(node.name))) return "openhands-v1";
    if (events.some((node) => /^\d+\.json$/.test(node.name))) return "openhands-v0";
  }
  return null;
}

/** Bytes of all files below a folder. */
export async function folderBytes(tree: Tree, folder: string): Promise<number> {
  let total = 0;
  for (const node of await tree.list(folder))
    total += node.kind === "folder" ? await folderBytes(tree, `${folder}${node.name}/`) : node.bytes;
  return total;
}
