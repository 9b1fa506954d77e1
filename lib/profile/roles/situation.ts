import type { Instance, Move, Past, Situation } from "@/lib/environment/suite/family";
import { generate } from "@/lib/environment/suite/generate";
import { type Look, type Prefix, type Proposal, type RoleEnvironment, RoleFailure } from "@/lib/profile/roles";
import { outputText } from "@/lib/profile/rules/output";

const KEPT = 64;
const drawn = new Map<string, Instance>();

/** What the suite drew for an environment. Throws RoleFailure for environments that are not of the suite. */
export function instanceOf({ name, family, seed }: RoleEnvironment): Instance {
  if (family === null || seed === null)
    throw new RoleFailure(
      "failed",
      `${name} is no generated environment (it has no family and seed), and the suite's expert knows only those; choose another teacher or policy`,
    );
  const key = `${family}/${seed}`;
  const known = drawn.get(key);
  const instance = known ?? generate(family, seed).instance;
  drawn.delete(key);
  drawn.set(key, instance);
  const oldest = drawn.keys().next().value;
  if (drawn.size > KEPT && oldest !== undefined) drawn.delete(oldest);
  return instance;
}

/** The steps that were taken, as the suite's expert sees them. Replies without a command are steps too. */
export const pastOf = (prefix: Prefix): Past[] =>
  prefix.steps
    .filter((step) => step.kind === "agent")
    .map((step) => ({
      command: step.call?.command ?? null,
      output: outputText(step) ?? "",
      ok: step.observations.some((o) => o.exitCode === 0),
    }));

/** Where a rollout stands: what was done, and what the family's probe prints in the sandbox right now. */
export async function situationOf(instance: Instance, prefix: Prefix, look: Look): Promise<Situation> {
  const { stdout } = await look(`( cd /app; ${instance.probe} )`);
  return { past: pastOf(prefix), state: new Set(stdout.split(/\s+/).filter((word) => word !== "")) };
}

/** A move of the suite as a proposal. */
export const proposalOf = ({ thought, command }: Move): Proposal => ({
  thinking: thought === "" ? null : thought,
  command,
  message: null,
  formatError: null,
  reply: null,
  usage: null,
});
