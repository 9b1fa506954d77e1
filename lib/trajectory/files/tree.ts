import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { entryReason, headOf, listFolder } from "./disk";
import type { FileEntry, FileSet } from "./file-set";

export interface TreeNode {
  name: string;
  kind: "file" | "folder" | "skip" | "broken";
  bytes: number;
  /** Why a `skip` is not looked into, or a `broken` one cannot be. */
  reason: string;
}

/** Folders as discovery walks them, on disk or inside an archive. Folders are named "" or with "/" at the end. */
export interface Tree {
  list(folder: string): Promise<TreeNode[]>;
  head(file: string, length: number): Promise<Buffer>;
}

/** A folder on disk. Symbolic links are never followed: what they lead to inside the root is found there, the rest is outside of it. */
export class DiskTree implements Tree {
  private readonly real: string;

  constructor(private readonly root: string) {
    this.real = realpathSync(root);
  }

  async list(folder: string): Promise<TreeNode[]> {
    return listFolder(path.join(this.root, folder)).map(({ name, kind, real, reason }): TreeNode => {
      if (reason !== null) return { name, kind: "skip", bytes: 0, reason };
      if (real !== null) {
        const inside = real === this.real || real.startsWith(this.real + path.sep);
        const what = kind === "folder" ? "a folder" : "a file";
        return {
          name,
          kind: "skip",
          bytes: 0,
          reason: inside
            ? `symbolic link to ${what} of this import, which is read there`
            : `symbolic link to ${what} outside of the import's folder`,
        };
      }
      if (kind === "folder") return { name, kind, bytes: 0, reason: "" };
      try {
        return { name, kind: "file", bytes: statSync(path.join(this.root, folder, name)).size, reason: "" };
      } catch (error) {
        // One that cannot be asked for its size (gone meanwhile, a name Node cannot spell) says nothing of the others.
        return { name, kind: "broken", bytes: 0, reason: entryReason(name, error) };
      }
    });
  }

  async head(file: string, length: number): Promise<Buffer> {
    return headOf(path.join(this.root, file), length);
  }
}

/** The entries of an archive as folders. */
export class ArchiveTree implements Tree {
  private folders: Map<string, Map<string, TreeNode>> | null = null;

  constructor(private readonly files: FileSet) {}

  async list(folder: string): Promise<TreeNode[]> {
    this.folders ??= foldersOf(await this.files.entries());
    return [...(this.folders.get(folder)?.values() ?? [])].sort((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    );
  }

  head(file: string, length: number): Promise<Buffer> {
    return this.files.head(file, length);
  }
}

function foldersOf(entries: FileEntry[]): Map<string, Map<string, TreeNode>> {
  const folders = new Map<string, Map<string, TreeNode>>([["", new Map()]]);
  const folder = (name: string): Map<string, TreeNode> => {
    const found = folders.get(name);
    if (found) return found;
    const made = new Map<string, TreeNode>();
    folders.set(name, made);
    const parts = name.slice(0, -1).split("/");
    const own = parts.pop() ?? "";
    folder(parts.length > 0 ? `${parts.join("/")}/` : "").set(own, { name: own, kind: "folder", bytes: 0, reason: "" });
    return made;
  };
  for (const { name, bytes } of entries) {
    const cut = name.lastIndexOf("/") + 1;
    const own = name.slice(cut);
    folder(name.slice(0, cut)).set(own, { name: own, kind: "file", bytes, reason: "" });
  }
  return folders;
}
