/** What a kind of start, reward or loss begins with when it is chosen anew. */
export const KIND_STARTS: Record<string, Record<string, object>> = {
  "start.kind": {
    prefix: { kind: "prefix", prefixes: { misbehaviors: [] } },
    environments: { kind: "environments", prefixes: { misbehaviors: [] } },
    suite: { kind: "suite", count: 100, from: 0 },
    pivot: { kind: "pivot", profileId: 1, candidates: 300, actions: 8 },
  },
  "reward.kind": {
    outcome: { kind: "outcome" },
    "outcome-and-behavior": {
      kind: "outcome-and-behavior",
      judge: { use: "rules", options: {} },
      window: 5,
      skipJudgeWhenFailed: false,
    },
    rubric: { kind: "rubric", writer: { use: "rules", options: {} }, judge: { use: "rules", options: {} } },
    equivalence: { kind: "equivalence", judge: { use: "rules", options: {} }, similar: 0.95 },
  },
  "loss.kind": {
    dppo: { kind: "dppo", divergence: "tv", threshold: 0.1 },
    ppo: { kind: "ppo", clipLow: 0.2, clipHigh: 0.2 },
  },
};
