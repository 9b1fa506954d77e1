import { expect, test } from "vitest";
import { schemaOf } from "@/app/api/v1/openapi";
import { OPERATIONS } from "@/app/api/v1/registry";
import { curl } from "./curl";
import { type Shape, typeOf } from "./shape";

test("types are said in words", () => {
  expect(typeOf({ type: "integer", minimum: 1, maximum: 1000 })).toBe("integer from 1 to 1000");
  expect(typeOf({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).toBe("integer from 1");
  expect(typeOf({ enum: ["asc", "desc"] })).toBe("asc | desc");
  expect(typeOf({ type: "array", items: { type: "string" } })).toBe("string, several");
  expect(typeOf({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("string or null");
});

test("every example sends a body that its operation takes", () => {
  const bodies = OPERATIONS.flatMap((o) => (o.body ? [{ o, body: o.body }] : []));
  expect(bodies.length).toBeGreaterThan(5);
  for (const { o, body } of bodies) {
    const sent = /-d '(.*)'/.exec(curl(o, schemaOf(body) as Shape))?.[1] ?? "";
    const read = body.safeParse(JSON.parse(sent));
    expect([o.id, read.error?.issues ?? []]).toEqual([o.id, []]);
  }
});
