import { expertMove } from "@/lib/environment/suite/expert";
import { SUITE_VERSION } from "@/lib/environment/suite/generate";
import type { Teacher } from "@/lib/profile/roles";
import { instanceOf, proposalOf, situationOf } from "./situation";

/** The suite's expert as a teacher (recipe 11.2): continues from the prefix alone. Another attempt, another of its equally right moves. */
export const suiteTeacher: Teacher = {
  kind: "rule",
  name: "expert",
  version: SUITE_VERSION,
  async correct(prefix, attempt, look) {
    const instance = instanceOf(prefix.environment);
    return proposalOf(expertMove(instance, await situationOf(instance, prefix, look), attempt - 1));
  },
};
