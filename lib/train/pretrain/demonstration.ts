import "server-only";
import { demonstrate, type Mix } from "@/lib/environment/suite/demonstrate";
import { standing } from "@/lib/environment/suite/expert";
import { type Past, SUBMIT } from "@/lib/environment/suite/family";
import { type Generated, generate } from "@/lib/environment/suite/generate";
import type { Ground } from "@/lib/environment/suite/ground";
import { readObservation, type Turn } from "@/lib/model/policy/turns";

/** Steps after which a demonstration ends without a submission. */
export const MOST_STEPS = 10;

/** A demonstration that was run: the expert, or a mix of it with wrong moves. */
export interface Demonstration {
  family: string;
  seed: number;
  hazard: string | null;
  instruction: string;
  turns: (Turn & { slug: string | null })[];
  reward: 0 | 1;
  submitted: boolean;
}

/** Runs one demonstration. `random` decides everything that is drawn. Throws SandboxFailure. */
export async function runDemonstration(
  ground: Ground,
  which: { family: string; seed: number },
  mix: Mix,
  random: () => number,
): Promise<Demonstration> {
  const generated: Generated = generate(which.family, which.seed);
  const { instance } = generated;
  const open = await ground.open(generated);
  try {
    const turns: Demonstration["turns"] = [];
    const past: Past[] = [];
    let submitted = false;
    let state: Set<string> | null = null;
    while (turns.length < MOST_STEPS && !submitted) {
      state ??= await open.state();
      const { move, slug } = demonstrate(instance, { past, state }, mix, random);
      if (move.command === null) {
        turns.push({ thought: move.thought, command: null, output: "", ok: false, slug });
        past.push({ command: null, output: "", ok: false });
        continue;
      }
      const result = await open.sandbox.exec(move.command);
      const turn = {
        thought: move.thought,
        command: move.command,
        ...readObservation(result.observation),
      };
      turns.push({ ...turn, slug });
      past.push({ command: turn.command, output: turn.output, ok: turn.ok });
      submitted = move.command === SUBMIT;
      if (!standing(instance, { past, state }).reads.has(move.command)) state = null;
    }
    const { reward } = await open.test();
    const { hazard, instruction } = instance;
    return { family: generated.family, seed: generated.seed, hazard, instruction, turns, reward, submitted };
  } finally {
    await open.close();
  }
}
