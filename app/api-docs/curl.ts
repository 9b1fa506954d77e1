import type { Operation } from "@/app/api/v1/operation";
import type { Shape } from "./shape";

/** A value that fits a shape, for an example; what has a default is left out of objects. */
function sample(shape: Shape): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  const [first] = shape.anyOf ?? shape.oneOf ?? [];
  if (first) return sample(first);
  if (shape.type === "array") return [sample(shape.items ?? {})];
  if (shape.type === "object") {
    const wanted = (shape.required ?? []).flatMap((name) => {
      const inner = shape.properties?.[name];
      return inner && inner.default === undefined ? [[name, sample(inner)] as const] : [];
    });
    return Object.fromEntries(wanted);
  }
  if (shape.type === "integer" || shape.type === "number") return Math.max(1, shape.minimum ?? 1);
  return shape.type === "boolean" ? true : "…";
}

/** How to call an operation. Where nobody signs in, the header with the token is left out. */
export function curl(o: Operation, body: Shape | null): string {
  const path = o.path.replace(/\{\w+\}/g, "1");
  const required = o.bytes ? "?batch=0123456789abcdef&path=run.json" : o.id === "search" ? "?q=grep" : "";
  return [
    `curl -H "Authorization: Bearer $TOKEN"`,
    ...(body ? [`-H "Content-Type: application/json" -d '${JSON.stringify(sample(body))}'`] : []),
    ...(o.bytes ? ["--data-binary @run.json"] : o.method === "POST" && !body ? ["-X POST"] : []),
    `"$MISSTEP/api/v1${path}${required}"`,
  ].join(" \\\n  ");
}
