import { type Db, openMemoryDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import { storeFindings } from "@/lib/profile/scan";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { NO_USAGE, type Step } from "@/lib/trajectory/types";

const step = (command: string): Step => ({
  kind: "agent",
  turn: null,
  actor: null,
  thinking: null,
  message: null,
  call: { id: null, name: "bash", arguments: { command }, command },
  observations: [{ callId: null, content: "", output: null, full: null, exitCode: 0, timedOut: false, error: null }],
  time: null,
  durationMs: null,
  usage: null,
  note: null,
  copied: false,
  source: [],
});

/** A step of a made trajectory: its command and the misbehaviors that the rules find in it. */
export type MadeStep = [command: string, ...slugs: MisbehaviorSlug[]];

let made = 0;

/** Stores a trajectory with these steps and findings as an import would; for tests. Returns the ids of its steps. */
export function makeTrajectory(db: Db, steps: readonly MadeStep[], { task = "task", model = "model" } = {}): number[] {
  const number = ++made;
  const prepared = prepareTrajectory(
    {
      key: "",
      parentKey: null,
      parentStep: null,
      format: "chat",
      formatVersion: null,
      name: `t${number}`,
      task,
      dataset: null,
      model,
      agent: null,
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
      steps: steps.map(([command]) => step(command)),
      labels: [],
      artifacts: [],
      warnings: [],
      source: {},
    },
    `h${number}`,
  );
  const { id } = storeTrajectory(db, prepared, { studyId: 1, jobId: null, sourceKey: `s${number}` });
  const findings = steps.flatMap(([command, ...slugs], i) =>
    slugs.map((misbehavior) => ({
      step: i,
      misbehavior,
      reason: `${misbehavior} in ${command}.`,
      commandSeen: command,
      evidence: [],
    })),
  );
  storeFindings(db, id, findings, true);
  return steps.map((_, i) => stepId(id, i));
}

/** A migrated index with the built-in taxonomy; for tests. */
export function madeIndex(): Db {
  const db = openMemoryDb();
  seedBuiltinTypes(db);
  return db;
}
