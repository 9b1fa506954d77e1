const LONGEST = 60;

/** A slug for a name that none of `taken` is: lower case, words joined by hyphens, numbered when it must be. */
export function slugFor(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  // Words with a meaning of their own in addresses.
  const base = words === "" ? "type" : RESERVED.has(words) ? `${words}-type` : words;
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`;
}

const RESERVED = new Set(["any", "named", "unlabelled", "none", "versions", "build"]);
