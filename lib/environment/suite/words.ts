/** Names that the suite draws from. Short words without common beginnings, so that none is part of another. */
export const NAMES = [
  "amber",
  "birch",
  "cedar",
  "delta",
  "ember",
  "fjord",
  "grove",
  "heron",
  "ivory",
  "jasper",
  "kelp",
  "lotus",
  "maple",
  "north",
  "ocean",
  "pearl",
  "quartz",
  "river",
  "stone",
  "tulip",
  "umber",
  "violet",
  "willow",
  "yarrow",
] as const;

export const SERVICES = ["mail", "auth", "sync", "feed", "cache", "proxy"] as const;
export const KEYS = ["port", "depth", "limit", "width", "speed"] as const;
export const SECTIONS = ["core", "edge", "store", "view"] as const;
export const STATES = ["open", "late", "paid", "lost"] as const;
export const LEVELS = ["error", "warning", "notice"] as const;
