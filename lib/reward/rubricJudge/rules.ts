import { SUITE_VERSION } from "@/lib/environment/suite/generate";
import { RoleFailure } from "@/lib/profile/roles";
import { instanceOf } from "@/lib/profile/roles/situation";
import { RULES_VERSION } from "@/lib/profile/rules";
import { checkedItems } from "@/lib/reward/rubricWriter/items";
import type { RubricJudge } from "@/lib/reward/types";

/**
 * Rates by the share of items that are met: 1 for none, 10 for all. It decides only items that the rules wrote; any other
 * is a RoleFailure.
 */
export const rulesRubricJudge: RubricJudge = {
  kind: "rule",
  name: "rules",
  version: `${SUITE_VERSION}/${RULES_VERSION}`,
  async rate({ environment, rubric, steps }) {
    const known = new Map(checkedItems(instanceOf(environment)).map((item) => [item.description, item]));
    if (rubric.items.length === 0) throw new RoleFailure("failed", "the rubric has no items");
    const met = rubric.items.filter(({ title, description }) => {
      const item = known.get(description);
      if (!item) throw new RoleFailure("failed", `no rule decides the item "${title}"; rate this rubric with a model`);
      return item.met(steps);
    }).length;
    return { rating: 1 + Math.round((9 * met) / rubric.items.length), callId: null };
  },
};
