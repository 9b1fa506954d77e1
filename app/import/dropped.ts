/** A dropped or chosen file with its path inside what was dropped. */
export interface DroppedFile {
  path: string;
  file: File;
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  // readEntries gives at most 100 at a time, and an empty list at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function walk(entry: FileSystemEntry, into: DroppedFile[]): Promise<void> {
  if (entry.isFile)
    into.push({ path: entry.fullPath.replace(/^\//, ""), file: await fileOf(entry as FileSystemFileEntry) });
  else for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) await walk(child, into);
}

/** All files of a drop, folders included. */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFile[]> {
  // Entries must be taken before the first await: the list is emptied when the event is over.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((e) => e !== null);
  const files: DroppedFile[] = [];
  for (const entry of entries) await walk(entry, files);
  return files;
}

/** Files of a file input. */
export const chosenFiles = (list: FileList): DroppedFile[] =>
  [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** What was chosen, in a few words: the names at the top, three of them at most. */
export function droppedTitle(files: Pick<DroppedFile, "path">[]): string {
  const tops = [...new Set(files.map(({ path }) => path.split("/", 1)[0] ?? path))];
  const more = tops.length - 3;
  return tops.slice(0, 3).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Sends files to the server one after another; answers with the folder they are in there. */
export async function upload(files: DroppedFile[], progress: (done: number) => void): Promise<string> {
  const batch = [...crypto.getRandomValues(new Uint8Array(8))].map((b) => b.toString(16).padStart(2, "0")).join("");
  let folder = "";
  for (const [i, { path, file }] of files.entries()) {
    const response = await fetch(`/api/upload?${new URLSearchParams({ batch, path })}`, { method: "POST", body: file });
    const answer = (await response.json()) as { folder?: string; error?: string };
    if (!response.ok || !answer.folder)
      throw new Error(answer.error ?? `${path} could not be sent (${response.status})`);
    folder = answer.folder;
    progress(i + 1);
  }
  return folder;
}
