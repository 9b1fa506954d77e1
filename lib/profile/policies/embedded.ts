import "server-only";
import { randomOf } from "@/lib/environment/suite/draw";
import type { Checkpoint } from "@/lib/model/policy/checkpoint";
import { contextTokens, REPLY_TOKENS, readObservation, readReply, STOP, type Turn } from "@/lib/model/policy/turns";
import type { Sampler } from "@/lib/model/policy/types";
import type { Policy, PolicySession, Prefix, Proposal } from "@/lib/profile/roles";
import type { Step } from "@/lib/trajectory/types";
import { NO_USAGE } from "@/lib/trajectory/types";

/** How an embedded policy samples. */
export interface EmbeddedSettings {
  temperature: number;
  topP: number;
}

/** What the harness answered to a step: its observation, or the message that came instead of one. */
function answered(steps: readonly Step[], at: number): string {
  const own = steps[at]?.observations[0]?.content;
  if (own !== undefined && own !== null) return own;
  const next = steps[at + 1];
  return next?.kind === "user" ? (next.message ?? "") : "";
}

/** A step that ran as a turn of the policy. */
function turnsOf(steps: readonly Step[]): Turn[] {
  return steps.flatMap((step, at) => {
    if (step.kind !== "agent" || step.note === "rejected") return [];
    const command = step.call?.command ?? null;
    const seen = readObservation(answered(steps, at));
    // A reply without a command: the vocabulary has no words for the harness's fixed message, and the mark says it all.
    const shown = command === null ? { output: "", ok: false } : seen;
    return [{ thought: step.thinking ?? "", command, ...shown }];
  });
}

/** The embedded policy: a checkpoint behind a sampler that many rollouts share. */
export class EmbeddedPolicy implements Policy {
  readonly name: string;

  constructor(
    readonly checkpointId: number,
    private readonly checkpoint: Checkpoint,
    private readonly sampler: Sampler,
    private readonly settings: EmbeddedSettings,
  ) {
    this.name = checkpoint.name;
  }

  open(rollout: { environment: Prefix["environment"]; number: number; seed: number }): PolicySession {
    const { environment, number, seed } = rollout;
    const key = `${seed}\0${environment.name}\0${number}`;
    return {
      propose: (prefix) => this.propose(key, prefix),
      close: () => this.sampler.release(key),
    };
  }

  private async propose(key: string, { environment, steps }: Prefix): Promise<Proposal | "context"> {
    const { vocabulary, config } = this.checkpoint;
    const turns = turnsOf(steps);
    const prompt = contextTokens(vocabulary, environment.instruction, turns);
    if (prompt.length + REPLY_TOKENS > config.context) return "context";
    const sampled = await this.sampler.sample({
      key,
      prompt,
      stop: STOP,
      maxTokens: REPLY_TOKENS,
      temperature: this.settings.temperature,
      topP: this.settings.topP,
      // By the place in the rollout, not by how often was drawn before: the same prefix gives the same proposal.
      random: randomOf(`misstep sample\0${key}\0${prompt.length}`),
    });
    const { thought, command, formatError } = readReply(vocabulary, sampled.ids);
    return {
      thinking: thought,
      command,
      message: null,
      formatError,
      reply: null,
      usage: { ...NO_USAGE, promptTokens: prompt.length, completionTokens: sampled.ids.length },
      tokens: { prompt, ids: sampled.ids, logprobs: sampled.logprobs },
    };
  }

  close(): Promise<void> {
    return this.sampler.close();
  }
}
