/** A JSON Schema as far as a line can say it. */
export interface Shape {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  properties?: Record<string, Shape & { description?: string; default?: unknown }>;
  required?: string[];
  additionalProperties?: unknown;
  minimum?: number;
  maximum?: number;
}

/** Bounds that say something: those of safe whole numbers do not. */
const bounds = ({ minimum, maximum }: Shape): string => {
  const least = minimum !== undefined && Math.abs(minimum) < Number.MAX_SAFE_INTEGER ? `from ${minimum}` : "";
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? `to ${maximum}` : "";
  return [least, most].filter(Boolean).join(" ");
};

/** What a value may be, in a few words: "integer from 1 to 1000", "asc | desc", "string, several". */
export function typeOf(shape: Shape): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map(String).join(" | ");
  const kinds = shape.anyOf ?? shape.oneOf;
  if (kinds) return [...new Set(kinds.map(typeOf))].join(" or ");
  if (shape.type === "array") return `${typeOf(shape.items ?? {})}, several`;
  if (shape.type === "object") {
    const names = Object.keys(shape.properties ?? {});
    return names.length === 0 ? "object" : `{ ${names.join(", ")} }`;
  }
  const type = [shape.type ?? "anything"].flat().join(" or ");
  return [type, bounds(shape)].filter(Boolean).join(" ");
}
