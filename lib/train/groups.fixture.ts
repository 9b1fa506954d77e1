import type { Db } from "@/db/client";
import type { Ground } from "@/lib/environment/ground";
import { SUBMIT } from "@/lib/environment/suite/family";
import type { EnvironmentSpec } from "@/lib/environment/types";
import type { Models } from "@/lib/model/chat/open";
import { scriptedSandbox } from "@/lib/prefix/testing";
import type { PlannedEnvironment } from "@/lib/profile/perform";
import type { Policy, Proposal } from "@/lib/profile/roles";
import { SandboxFailure, SandboxFileError, type SandboxSpec } from "@/lib/sandbox/types";
import { recipeOf } from "./recipes";
import type { RolloutRow } from "./rl/loss";
import { makeJudges } from "./rollout/judges";
import type { DoneRollout } from "./rollout/perform";
import type { TrainStart } from "./rollout/starts";
import { drawGroups, type Group } from "./run/groups";
import { learn } from "./run/learn";
import { metricsOf, type StepMetrics } from "./run/metrics";
import { type GivenTrainSettings, trainSettings } from "./settings";
import { CRASH, FAILS, FAILURE, SOLVE } from "./world.fixture";

/** Help for tests: one step of a training in a made-up world whose every number can be worked out by hand. */

/** A reply of the policy: its command and how many tokens it took. */
export type Reply = [command: string | null, tokens: number];

/** Seconds of a command in a sandbox; any other takes 1. */
const SECONDS: Record<string, number> = { [FAILS]: 2 };
const TESTS_SECONDS = 4;

/** The shown tokens of a turn: outputs, the task. */
const SHOWN = [7, 7];
/** Every token is sampled at this probability. */
const MU = 0.5;

function policyOf(script: Record<number, Reply[][]>): Policy {
  return {
    name: "scripted",
    checkpointId: 1,
    open({ environment: { id }, number }) {
      const replies = script[id]?.[number - 1] ?? [];
      let turn = 0;
      let context: number[] = [];
      return {
        async propose() {
          const [command, tokens] = replies[turn++] ?? [SUBMIT, 1];
          const prompt = [...context, ...SHOWN];
          const ids = Array<number>(tokens).fill(1);
          context = [...prompt, ...ids];
          const proposal: Proposal = {
            thinking: null,
            command,
            message: null,
            formatError: command === null ? "no command" : null,
            reply: null,
            usage: null,
            tokens: { prompt, ids, logprobs: ids.map(() => Math.log(MU)) },
          };
          return proposal;
        },
        close: () => undefined,
      };
    },
    close: async () => undefined,
  };
}

/** What a trained rollout came to, in numbers. */
export interface Row {
  outcome: number | null;
  behavior: number | null;
  rating: number | null;
  reward: number | null;
  advantage: number | null;
  tokens: number | null;
  kept: number | null;
  /** 1 / denominator, as the optimiser got it. */
  weight: number | null;
  seconds: number;
}

export interface StepCame {
  /** By the id of the start's environment. */
  groups: Map<number, { dead: Group["dead"]; rows: Row[] }>;
  metrics: StepMetrics;
  sandboxes: number;
}

/** Moves the first trained token of every row to this probability before the update: 0.15 up, outside of the trust region of 0.1. */
const MOVED = 0.65;

export interface World {
  db: Db;
  recipe: string;
  over?: Partial<GivenTrainSettings>;
  starts: TrainStart[];
  /** By environment: what the policy says in each rollout. */
  script: Record<number, Reply[][]>;
  models?: () => Models;
  /** The command that solves the tasks; default SOLVE. */
  solves?: string;
  /** Milliseconds that pass only in sandboxes: `performance.now` reads it. */
  clock: { ms: number };
}

const digits = (n: number): number => Number(n.toFixed(12));

/** Draws one step's groups by a recipe, rewards them and hands them to an optimiser that only takes notes. */
export async function stepOf({
  db,
  recipe,
  over,
  starts,
  script,
  models,
  solves = SOLVE,
  clock,
}: World): Promise<StepCame> {
  const preset = recipeOf(recipe);
  if (!preset) throw new Error(`no recipe ${recipe}`);
  const settings = trainSettings.parse({
    recipe,
    ...preset.settings,
    batch: starts.length,
    resample: 0,
    parallel: 1,
    ...over,
  });
  let sandboxes = 0;
  const ground: Ground = {
    async open(id) {
      sandboxes++;
      const log: string[] = [];
      const run = scriptedSandbox((command) => {
        if (command === CRASH) throw new SandboxFailure("died", "out of memory");
        const tests = command.includes("/usr/bin/env -i");
        // Tests going in and their verdict coming out.
        const ours = !tests && command.includes("/logs/verifier");
        clock.ms += 1000 * (tests ? TESTS_SECONDS : ours ? 0 : (SECONDS[command] ?? 1));
        if (command === FAILS) return { output: FAILURE, exitCode: 2 };
        return command === SUBMIT
          ? { output: "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", submitted: true }
          : { output: "ok" };
      }, log);
      const place = starts.find((s) => s.environment.id === id)?.environment as PlannedEnvironment;
      const solved = () => log.includes(solves);
      const sandbox = {
        ...run,
        writeFile: async () => undefined,
        async readFile(file: string) {
          if (!file.endsWith("reward.txt")) throw new SandboxFileError(file, "not there");
          return Buffer.from(solved() ? "1\n" : "0\n");
        },
      };
      return {
        sandbox,
        environment: place,
        spec: place.spec as EnvironmentSpec,
        settings: { workdir: "/app" } as SandboxSpec,
        notes: [],
      };
    },
    close: async () => undefined,
  };
  const judges = makeJudges({ db, ...(models ? { models } : {}) }, settings);
  const shared = { ground, policy: policyOf(script), judges, settings, signal: new AbortController().signal };
  const drawn = await drawGroups(shared, starts, (start) => start, { step: 1, cursor: 0 });
  const rows: RolloutRow[] = [];
  const trainer = {
    async train(given: readonly RolloutRow[]) {
      rows.push(...given);
      const logprobs = given.map(({ sampled, mask }) => {
        const first = mask.indexOf(1);
        return Float32Array.from(sampled.slice(1).map((value, i) => (i + 1 === first ? Math.log(MOVED) : value)));
      });
      const tokens = given.reduce((n, { mask }) => n + mask.filter((m) => m === 1).length, 0);
      return { loss: 0, gradNorm: 0, tokens, logprobs };
    },
  };
  const report = await learn(trainer, drawn.groups, settings, 1);
  const trained = [...(report?.learned.keys() ?? [])];
  const rowOf = (rollout: DoneRollout): Row => {
    const lesson = report?.learned.get(rollout);
    const at = trained.indexOf(rollout);
    const { outcomeReward: outcome, behavior, rating, reward, turns, durationMs } = rollout;
    return {
      outcome,
      behavior: behavior?.answer === "no" ? 1 : behavior?.answer === "yes" ? 0 : null,
      rating,
      reward: reward === null ? null : digits(reward),
      advantage: lesson ? digits(lesson.advantage) : null,
      tokens: turns.reduce((n, { ids }) => n + ids.length, 0),
      kept: lesson?.keptTokens ?? null,
      weight: at < 0 ? null : digits((rows[at] as RolloutRow).scale),
      seconds: durationMs / 1000,
    };
  };
  const groups = drawn.groups.map((group) => {
    const own = group.rollouts.map((r) =>
      r.kind === "void" ? { ...NOTHING, seconds: r.durationMs / 1000 } : rowOf(r),
    );
    return [group.start.environment.id, { dead: group.dead, rows: own }] as const;
  });
  const metrics = metricsOf(drawn.groups, report, { rollouts: 0, learn: 0, total: 0 }, drawn.cursor);
  return { groups: new Map(groups), metrics, sandboxes };
}

const NOTHING: Row = {
  outcome: null,
  behavior: null,
  rating: null,
  reward: null,
  advantage: null,
  tokens: null,
  kept: null,
  weight: null,
  seconds: 0,
};
