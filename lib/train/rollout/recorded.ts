import type { Policy, PolicySession, SampledTokens } from "@/lib/profile/roles";

/** A policy whose sampled tokens are kept: one of these a rollout, around the policy that all rollouts share. */
export class RecordedPolicy implements Policy {
  readonly turns: SampledTokens[] = [];

  constructor(private readonly policy: Policy) {}

  get name(): string {
    return this.policy.name;
  }

  get checkpointId(): number {
    return this.policy.checkpointId;
  }

  open(rollout: Parameters<Policy["open"]>[0]): PolicySession {
    const session = this.policy.open(rollout);
    return {
      propose: async (prefix) => {
        const proposal = await session.propose(prefix);
        if (proposal !== "context") {
          if (!proposal.tokens) throw new Error(`the policy ${this.name} does not say which tokens it sampled`);
          this.turns.push(proposal.tokens);
        }
        return proposal;
      },
      close: () => session.close(),
    };
  }

  /** The shared policy is its owner's to close. */
  async close(): Promise<void> {
    return undefined;
  }
}
