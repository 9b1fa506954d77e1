import type { Db } from "@/db/client";
import { pack } from "@/db/codec";
import { SPAN } from "@/db/ids";
import { ALL_ERRORS, scopesOf } from "@/db/schema/errors";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { indexTrajectories } from "@/lib/trajectory/textIndex";
import { seeded } from "./random";
import { makeTemplate, makeTrajectory, type Template } from "./template";
import { vocabulary, writer } from "./words";

/** Shape of a generated index. */
export interface IndexShape {
  trajectories: number;
  /** Mean entries of a trajectory. */
  entries: number;
  environments: number;
  models: number;
  seed: number;
}

const FORMATS = ["harbor-trial", "mini-swe-agent-2", "atif", "chat"];
const OUTCOMES = ["passed", "failed", "failed", "partial", "unknown"];
/** Trajectories of one transaction; each transaction writes a segment of the text index. */
const BATCH = 5000;
/** Different rollouts in a generated index; each is used by many trajectories. */
const TEMPLATES = 2000;

/**
 * Fills an empty migrated index with made-up trajectories, straight into the tables (the import has its own
 * benchmark). Counters come from the same triggers as always.
 */
export function generateIndex(db: Db, shape: IndexShape, progress: (done: number) => void): void {
  const s = db.$client;
  const random = seeded(shape.seed);
  const write = writer(random, vocabulary(20_000));
  s.transaction(() => {
    const env = s.prepare("insert into environment (name, dataset) values (?, 'bench')");
    for (let i = 1; i <= shape.environments; i++) env.run(`${write.word()}-${write.word()}-${i}`);
    const model = s.prepare("insert into checkpoint (name) values (?)");
    for (let i = 1; i <= shape.models; i++) model.run(`model-${i}`);
  })();
  const one = inserter(db, random);
  const templates = Array.from({ length: Math.min(TEMPLATES, shape.trajectories) }, () =>
    makeTemplate(random, write, Math.max(2, Math.floor(shape.entries * (0.4 + 1.2 * random())))),
  );
  for (let from = 1; from <= shape.trajectories; from += BATCH) {
    const to = Math.min(from + BATCH - 1, shape.trajectories);
    s.transaction(() => {
      for (let id = from; id <= to; id++) one(id, templates[Math.floor(random() * templates.length)] as Template);
    })();
    progress(to);
  }
  s.exec("analyze");
}

/** Adds one rollout of `entries` entries the way an import does, chunks and all. Returns its id. */
export function generateTrajectory(db: Db, entries: number, seed: number): number {
  const random = seeded(seed);
  const trajectory = makeTrajectory(random, writer(random, vocabulary(20_000)), entries);
  const prepared = prepareTrajectory(trajectory, `long-${entries}-${seed}`);
  return db.$client.transaction(() => {
    const { id } = storeTrajectory(db, prepared, { studyId: 1, jobId: null, sourceKey: `long-${entries}` });
    indexTrajectories(db, [id]);
    return id;
  })();
}

/** A function that inserts a made-up trajectory with this id from a template. */
function inserter(db: Db, random: () => number): (id: number, template: Template) => void {
  const s = db.$client;
  const write = writer(random, vocabulary(20_000));
  const environments = s.prepare("select id, name from environment order by id").all() as {
    id: number;
    name: string;
  }[];
  const models = environments.length > 0 ? (s.prepare("select count(*) from checkpoint").pluck().get() as number) : 0;
  const types = s
    .prepare("select id from error_type where named = 1 and taxonomy_id = 1 order by rank")
    .pluck()
    .all() as number[];
  const localizer = s
    .prepare("insert into localizer (kind, name, version) values ('rule', 'bench', '1')")
    .run().lastInsertRowid;
  const addTrajectory = s.prepare(
    `insert into trajectory (id, study_id, environment_id, checkpoint_id, task, model, name, agent, format, outcome, reward, steps, entries,
       error_steps, tokens, prompt_tokens, completion_tokens, cost_usd, duration_ms, started_at, content_hash, source_key, rules_version)
     values (@id, 1, @env, @model, @task, @modelName, @name, 'bench', @format, @outcome, @reward, @steps, @entries, @errors, @tokens, @tokens, 0,
       @cost, @duration, @started, @hash, @hash, 'bench')`,
  );
  const addDetail = s.prepare("insert into trajectory_detail values (?, ?)");
  const addStep = s.prepare(
    `insert into step (id, kind, number, turn, tool, preview, exit_code, duration_ms, prompt_tokens, started_at, output_chars, chunk)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  const addChunk = s.prepare("insert into chunk values (?, 0, ?, ?)");
  const addText = s.prepare("insert into step_fts (rowid, command, thinking, output) values (?, ?, ?, ?)");
  const addError = s.prepare(
    "insert into error_step (step_id, trajectory_id, environment_id, checkpoint_id) values (?, ?, ?, ?)",
  );
  const addLocalization = s.prepare(
    "insert into localization (step_id, localizer_id, verdict, reason, command_seen) values (?, ?, 'bad', ?, ?)",
  );
  const addLabel = s.prepare(
    "insert into label (step_id, error_type_id, source, localizer_id, localization_id, reason) values (?, ?, 'rule', ?, ?, ?)",
  );
  const addType = s.prepare("insert into trajectory_type values (?, ?, ?)");
  const detail = pack({ key: "", rewards: {}, artifacts: [], warnings: [], source: {}, usage: {} });

  const one = (id: number, template: Template) => {
    const entries = template.entries.length;
    const env = environments[Math.floor(random() * environments.length)] as { id: number; name: string };
    const model = 1 + Math.floor(random() * models);
    const scopes = new Map<number, number>();
    const add = (scope: number) => scopes.set(scope, (scopes.get(scope) ?? 0) + 1);
    const errors: { index: number; type: number | null }[] = [];
    for (let i = 1; i < entries; i++) {
      if (random() > 0.04) continue;
      const type = random() < 0.6 ? (types[Math.floor(types.length * random() ** 2)] ?? null) : null;
      errors.push({ index: i, type });
      add(ALL_ERRORS);
      if (type === null) add(scopesOf(1).unlabelled);
      else {
        add(type);
        add(scopesOf(1).named);
      }
    }
    const outcome = OUTCOMES[Math.floor(random() * OUTCOMES.length)] as string;
    const tokens = random() < 0.1 ? null : Math.floor(random() * 2e6);
    addTrajectory.run({
      id,
      env: env.id,
      model,
      task: env.name,
      modelName: `model-${model}`,
      name: `${env.name}__${id}`,
      format: FORMATS[Math.floor(random() * FORMATS.length)],
      outcome,
      reward: outcome === "unknown" ? null : outcome === "passed" ? 1 : outcome === "partial" ? random() : 0,
      steps: entries - 1,
      entries,
      errors: errors.length,
      tokens,
      cost: tokens === null ? null : tokens * 1e-6,
      duration: Math.floor(random() * 3e6),
      started: random() < 0.05 ? null : 1.75e12 + Math.floor(random() * 3e10),
      hash: `bench-${id}`,
    });
    addDetail.run(id, detail);
    template.entries.forEach((e, i) => {
      const agent = e.command !== null;
      addStep.run(
        id * SPAN + i,
        agent ? "agent" : "user",
        agent ? i : null,
        agent ? i - 1 : null,
        agent ? "bash" : null,
        e.command ?? e.said,
        e.exitCode,
        100,
        900,
        null,
        e.output.length,
      );
      addText.run(id * SPAN + i, e.command ?? "", e.said, e.output);
    });
    addChunk.run(id * SPAN, entries, template.data);
    for (const e of errors) {
      const step = id * SPAN + e.index;
      addError.run(step, id, env.id, model);
      const reason = `Repeats ${write.word()} although step ${e.index} shows ${write.word()}.`;
      const localization = addLocalization.run(step, localizer, reason, "bench").lastInsertRowid;
      if (e.type !== null) addLabel.run(step, e.type, localizer, localization, reason);
    }
    for (const [scope, n] of scopes) addType.run(scope, id, n);
  };
  return one;
}
