import "server-only";
import { z } from "zod";
import { openApi } from "./openapi";
import { type Operation, operation } from "./operation";
import { environmentOperations } from "./operations/environments";
import { importOperations } from "./operations/import";
import { indexOperations } from "./operations/index";
import { jobOperations } from "./operations/jobs";
import { measurementOperations } from "./operations/measurements";
import { misbehaviorOperations } from "./operations/misbehaviors";
import { policyOperations } from "./operations/policies";
import { prefixOperations } from "./operations/prefixes";
import { profileOperations } from "./operations/profiles";
import { reviewOperations } from "./operations/review";
import { stepOperations } from "./operations/steps";
import { trainingOperations } from "./operations/trainings";
import { trajectoryOperations } from "./operations/trajectories";

/** Every operation of the API, in the order it is described. */
export const OPERATIONS: Operation[] = [
  operation({
    id: "openapi",
    method: "GET",
    path: "/openapi.json",
    tag: "index",
    role: "viewer",
    summary: "This description (OpenAPI 3.1)",
    response: z.looseObject({ openapi: z.literal("3.1.0"), paths: z.record(z.string(), z.unknown()) }),
    run: () => description(),
  }),
  ...indexOperations,
  ...trajectoryOperations,
  ...stepOperations,
  ...misbehaviorOperations,
  ...prefixOperations,
  ...environmentOperations,
  ...policyOperations,
  ...profileOperations,
  ...measurementOperations,
  ...trainingOperations,
  ...reviewOperations,
  ...jobOperations,
  ...importOperations,
];

let made: ReturnType<typeof openApi> | undefined;
/** The description of all operations; the same in every answer. */
function description() {
  made ??= openApi(OPERATIONS);
  return made;
}

/** The operation of a path below /api/v1, with the values of its path's parameters; `allowed`: methods the path has. */
export function findOperation(
  method: string,
  path: readonly string[],
): { operation: Operation | null; params: Record<string, string>; allowed: string[] } {
  const matching = OPERATIONS.flatMap((one) => {
    const parts = one.path.slice(1).split("/");
    if (parts.length !== path.length) return [];
    const params: Record<string, string> = {};
    for (const [i, part] of parts.entries()) {
      const value = path[i] ?? "";
      if (part.startsWith("{")) params[part.slice(1, -1)] = value;
      else if (part !== value) return [];
    }
    return [{ one, params }];
  });
  // /prefixes/draw is no prefix called "draw": literal paths come before those with parameters.
  matching.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  const found = matching.find(({ one }) => one.method === method);
  return {
    operation: found?.one ?? null,
    params: found?.params ?? {},
    allowed: [...new Set(matching.map(({ one }) => one.method))],
  };
}
