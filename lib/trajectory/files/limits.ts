/** Bounds on what is read from archives. Nothing is ever unpacked to disk. */

/** Entries an archive may have. */
export const MAX_ARCHIVE_ENTRIES = 200_000;
/** Uncompressed bytes of all entries of a zip or tar archive together. */
export const MAX_ARCHIVE_BYTES = 16 * 1024 ** 3;
/** Uncompressed bytes of one entry. */
export const MAX_ENTRY_BYTES = 512 * 1024 ** 2;
/** How many times larger an entry may become, looked at from RATIO_FROM_BYTES on. Trajectories pack 5 to 30 times. */
export const MAX_RATIO = 300;
export const RATIO_FROM_BYTES = 8 * 1024 ** 2;
/** The same ratio for all entries together, looked at from here on: a bomb of many small entries. */
export const TOTAL_RATIO_FROM_BYTES = 256 * 1024 ** 2;
/** A .tar.gz cannot be read at random, so it is held unpacked in memory up to this size. */
export const MAX_TAR_GZ_BYTES = 192 * 1024 ** 2;

/** Why an entry's name cannot be used, or null when it can. */
export function unsafeName(name: string): string | null {
  if (name === "") return "the entry has no name";
  if (name.includes("\0")) return "the entry's name holds a NUL";
  if (name.includes("\\")) return "the entry's name holds a backslash";
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name)) return "the entry has an absolute path";
  if (name.split("/").includes("..")) return "the entry's path climbs out of the archive (..)";
  return null;
}
