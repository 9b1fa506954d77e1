import "server-only";
import type { RoleSpec } from "@/lib/profile/settings";
import { type JudgeContext, makeBehaviorJudge } from "@/lib/reward/registry";
import type { NamedJudge } from "./perform";

/** The judges of a measurement; the name tells version and model apart. Throws UnknownRole, also for one named twice. */
export function makeMeasuringJudges(context: JudgeContext, specs: readonly RoleSpec[]): NamedJudge[] {
  // Two equal windows are asked about twice: samples of a judge are independent.
  return specs.map((spec) => {
    const judge = makeBehaviorJudge({ ...context, cache: false }, spec);
    return { name: `${judge.name} ${judge.version}`, judge };
  });
}
