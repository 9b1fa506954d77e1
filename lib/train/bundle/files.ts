import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { makeWhole } from "@/lib/environment/keep";
import { FIXED_TIME } from "@/lib/sandbox/tree";

/** A file of a bundle. `path` is relative; of a link `data` is the target. */
export interface BundleFile {
  path: string;
  data: Buffer;
  kind: "file" | "link";
  executable: boolean;
}

export const textFile = (name: string, text: string, executable = false): BundleFile => ({
  path: name,
  data: Buffer.from(text),
  kind: "file",
  executable,
});

export const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");

/** Writes a bundle into a folder that is not there yet; whole or not at all. Throws when it is there. */
export function writeBundle(folder: string, files: readonly BundleFile[]): void {
  const fill = (building: string) => {
    for (const file of files) {
      const to = path.join(building, file.path);
      fs.mkdirSync(path.dirname(to), { recursive: true });
      if (file.kind === "link") fs.symlinkSync(file.data.toString("utf8"), to);
      else fs.writeFileSync(to, file.data, { mode: file.executable ? 0o755 : 0o644 });
    }
  };
  fs.mkdirSync(path.dirname(path.resolve(folder)), { recursive: true });
  if (!makeWhole(path.resolve(folder), fill)) throw new Error(`${folder} is there already; name another folder`);
}

/** The bundle as a .tar.gz whose files lie in the folder `root`: the same bytes for the same files. */
export async function packBundle(root: string, files: readonly BundleFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { path: name, data, kind, executable } of files) {
    const common = { name: `${root}/${name}`, mtime: FIXED_TIME, mode: executable ? 0o755 : 0o644 };
    if (kind === "link") tar.entry({ ...common, type: "symlink", linkname: data.toString("utf8") });
    else tar.entry(common, data);
  }
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return gzipSync(Buffer.concat(parts), { level: 9 });
}
