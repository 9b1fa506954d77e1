import { pack, type StepBody } from "@/db/codec";
import { NO_USAGE, type Step, type Trajectory } from "@/lib/trajectory/types";
import type { writer } from "./words";

type Writer = ReturnType<typeof writer>;

/** One made-up entry: what its row and its index texts hold. */
export interface TemplateEntry {
  command: string | null;
  said: string;
  output: string;
  exitCode: number | null;
}

/** A made-up rollout that many trajectories of a generated index share: making each anew would dominate the time. */
export interface Template {
  entries: TemplateEntry[];
  /** The packed chunk of all its entries. */
  data: Buffer;
}

function entry(random: () => number, write: Writer, agent: boolean): TemplateEntry {
  if (!agent) return { command: null, said: `Please ${write.thought()}`, output: "", exitCode: null };
  return {
    command: write.command(),
    said: write.thought(),
    output: write.output(60 + Math.floor(random() * 120)),
    exitCode: random() < 0.15 ? 1 : 0,
  };
}

const observations = (e: TemplateEntry): StepBody["observations"] =>
  e.command === null
    ? []
    : [
        {
          callId: null,
          content: e.output,
          output: null,
          full: null,
          exitCode: e.exitCode,
          timedOut: false,
          error: null,
        },
      ];

const call = (e: TemplateEntry): StepBody["call"] =>
  e.command === null ? null : { id: null, name: "bash", arguments: { command: e.command }, command: e.command };

/** Makes a rollout of `size` entries: one user message, then agent steps. */
export function makeTemplate(random: () => number, write: Writer, size: number): Template {
  const entries = Array.from({ length: size }, (_, i) => entry(random, write, i > 0));
  const bodies = entries.map(
    (e): StepBody => ({
      thinking: e.command === null ? null : e.said,
      message: e.command === null ? e.said : null,
      call: call(e),
      observations: observations(e),
      time: null,
      usage: null,
      source: [],
    }),
  );
  return { entries, data: pack(bodies) };
}

/** A canonical trajectory of `size` entries, to be stored the way an import stores it. */
export function makeTrajectory(random: () => number, write: Writer, size: number): Trajectory {
  const steps = Array.from({ length: size }, (_, i): Step => {
    const e = entry(random, write, i > 0);
    const agent = e.command !== null;
    return {
      kind: agent ? "agent" : "user",
      turn: agent ? i - 1 : null,
      actor: null,
      thinking: agent ? e.said : null,
      message: agent ? null : e.said,
      call: call(e),
      observations: observations(e),
      time: null,
      durationMs: null,
      usage: null,
      note: null,
      copied: false,
      source: [],
    };
  });
  return {
    key: "",
    parentKey: null,
    parentStep: null,
    format: "chat",
    formatVersion: null,
    name: `long-${size}`,
    task: "long",
    dataset: "bench",
    model: "model-1",
    agent: "bench",
    agentVersion: null,
    attempt: null,
    outcome: "failed",
    reward: 0,
    rewards: {},
    exitStatus: null,
    exception: null,
    startedAt: null,
    finishedAt: null,
    durationMs: null,
    usage: NO_USAGE,
    steps,
    labels: [],
    artifacts: [],
    warnings: [],
    source: {},
  };
}
