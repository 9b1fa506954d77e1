export interface FileEntry {
  /** Path with "/" inside the set, never absolute, never with "..". */
  name: string;
  /** Uncompressed bytes. */
  bytes: number;
}

/** Files of a folder, of a part of an archive, or of a whole archive, read without writing anything to disk. */
export interface FileSet {
  /** Sorted by name. */
  entries(): Promise<FileEntry[]>;
  /** Whole content. Throws ReadError when it is missing, too large or broken. */
  read(name: string): Promise<Buffer>;
  /** First bytes, at most `length`. */
  head(name: string, length: number): Promise<Buffer>;
  /** Content in pieces, for files read line by line. */
  stream(name: string): AsyncIterable<Buffer>;
  /** Problems met while listing: entries refused for what they are. */
  problems(): Promise<{ name: string; reason: string; hint: string | null }[]>;
}

/** Something that could not be read, with what to do about it. */
export class ReadError extends Error {
  constructor(
    message: string,
    readonly hint: string | null = null,
    readonly position: string | null = null,
  ) {
    super(message);
    this.name = "ReadError";
  }
}

/** The files of `set` below `prefix` ("" or ending in "/"), with that prefix taken off. */
export function below(set: FileSet, prefix: string): FileSet {
  if (prefix === "") return set;
  return {
    async entries() {
      const all = await set.entries();
      return all
        .filter((entry) => entry.name.startsWith(prefix))
        .map((entry) => ({ name: entry.name.slice(prefix.length), bytes: entry.bytes }));
    },
    read: (name) => set.read(prefix + name),
    head: (name, length) => set.head(prefix + name, length),
    stream: (name) => set.stream(prefix + name),
    problems: () => set.problems(),
  };
}
