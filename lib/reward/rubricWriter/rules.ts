import { SUITE_VERSION } from "@/lib/environment/suite/generate";
import { instanceOf } from "@/lib/profile/roles/situation";
import type { RubricWriter } from "@/lib/reward/types";
import { checkedItems } from "./items";

/** The suite's tests check the final state whole: they count for most of the reward. */
const TESTS_WEIGHT = 0.8;

/** Rubrics of the tiny suite, from what its families know. Other environments are a RoleFailure. */
export const rulesRubricWriter: RubricWriter = {
  kind: "rule",
  name: "rules",
  version: SUITE_VERSION,
  async write({ environment }) {
    const items = checkedItems(instanceOf(environment)).map(({ title, description, weight }) => ({
      title,
      description,
      weight,
    }));
    return { rubric: { testsWeight: TESTS_WEIGHT, items }, callId: null };
  },
};
