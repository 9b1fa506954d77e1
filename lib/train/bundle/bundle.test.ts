import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { ensureTinyEnvironments } from "@/lib/environment/suite/ensure";
import { recordedStep, recordedTrajectory } from "@/lib/prefix/testing";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { recipeOf } from "@/lib/train/recipes";
import type { GivenTrainSettings } from "@/lib/train/settings";
import { emptyStep } from "@/lib/trajectory/build";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { KNOWN_FLAGS } from "./contract";
import { packBundle, sha256, writeBundle } from "./files";
import { type Bundle, makeBundle } from "./make";
import { PAPER_SCALE } from "./settings";

let home: string;
let db: Db;
beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-bundle-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterAll(() => {
  db.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
});

const say = (kind: "system" | "user", message: string) => ({ ...emptyStep(kind, null), message });

const made = new Map<string, { id: number; environmentId: number }>();
function keptPrefix(command = "ls -A", output = "a.txt") {
  const prefix = made.get(command) ?? makePrefix(command, output);
  made.set(command, prefix);
  return prefix;
}

/** A kept prefix of two commands and a reply without one, before an error step, in an environment of the suite. */
function makePrefix(command: string, output: string): { id: number; environmentId: number } {
  const [environmentId = 0] = [...ensureTinyEnvironments(db, ["tiny-count-5"]).values()];
  const steps = [
    say("system", "Work in the terminal."),
    say("user", "Do the task."),
    recordedStep(command, output, 0, { turn: 0, thinking: "look first" }),
    recordedStep("false", "", 1, { turn: 1 }),
    recordedStep(null, "", 0, { turn: 2, message: "I am done." }),
    { ...say("user", "Nothing was run."), note: "format-error" as const },
    recordedStep("cat nothing", "", 1, { turn: 3 }),
  ];
  const trajectory = recordedTrajectory(steps, { name: "t", task: "tiny-count-5" });
  const stored = storeTrajectory(db, prepareTrajectory(trajectory, sha256(Buffer.from(command + output))), {
    studyId: 1,
    jobId: null,
    sourceKey: `test/${command}#`,
  });
  db.$client.prepare("update trajectory set environment_id = ? where id = ?").run(environmentId, stored.id);
  const type = db.$client.prepare("select id from error_type order by id limit 1").pluck().get();
  const id = Number(
    db.$client
      .prepare(
        "insert into prefix (study_id, step_id, error_type_id, environment_id, status, split) values (1, ?, ?, ?, 'kept', 'training')",
      )
      .run(stepId(stored.id, 6), type, environmentId).lastInsertRowid,
  );
  return { id, environmentId };
}

const settings = (recipe: string, over: Partial<GivenTrainSettings> = {}): GivenTrainSettings =>
  ({ recipe, ...recipeOf(recipe)?.settings, ...PAPER_SCALE, ...over }) as GivenTrainSettings;
const fromPrefix = (recipe: string, ids: number[], over: Partial<GivenTrainSettings> = {}) =>
  settings(recipe, {
    start: { kind: recipe === "outcome-env" ? "environments" : "prefix", prefixes: { ids } },
    ...over,
  });
const fileOf = (bundle: Bundle, name: string): string => {
  const found = bundle.files.find((file) => file.path === name);
  if (!found) throw new Error(`no ${name} in ${bundle.files.map((f) => f.path).join(" ")}`);
  return found.data.toString("utf8");
};
type AnyRow = {
  messages: { role: string; content: string; tool_calls: { function: { arguments: unknown } }[] | null }[];
  env_config: Record<string, unknown>;
} & Record<string, unknown>;
const rowsOf = (bundle: Bundle, name = "rows.jsonl"): AnyRow[] =>
  fileOf(bundle, name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What the trainer makes of a row's flat env_config (recipe.md 12.A). */
function normalised({ max_steps, ...entry }: Record<string, unknown>): {
  env_configs: Record<string, unknown>[];
  max_steps: unknown;
} {
  const { env_name, ...kwargs } = entry;
  return { env_configs: [{ env_name, ...kwargs }], max_steps };
}
/** The prompt the trainer makes of a row's messages. */
const promptOf = (messages: AnyRow["messages"]) =>
  messages.at(-1)?.role === "assistant" ? messages.slice(0, -1) : messages;

describe("rows", () => {
  test("pass the trainer's normalisation: nothing of the prompt is dropped, all the environment needs passes through", () => {
    const { id } = keptPrefix();
    const [row] = rowsOf(makeBundle(db, 1, { train: fromPrefix("mirl", [id]) }));
    if (!row) throw new Error("no row");
    expect(Object.keys(row).sort()).toEqual(["dataset", "env_config", "ground_truth", "messages", "source"]);
    expect(row).toMatchObject({ dataset: "passthrough", ground_truth: row.env_config.task_id });
    expect(promptOf(row.messages)).toEqual(row.messages);
    expect(row.messages.map((m) => m.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(row.messages[2]).toMatchObject({
      content: "<think>\nlook first\n</think>\n\n",
      tool_calls: [{ id: "call_0_0", type: "function", function: { name: "bash", arguments: { command: "ls -A" } } }],
    });
    expect(row.messages[3]).toMatchObject({ content: "a.txt\n\n(exit_code=0)", tool_call_id: "call_0_0" });
    expect(row.messages[6]).toMatchObject({ content: "I am done.", tool_calls: null });
    const { env_configs, max_steps } = normalised(row.env_config);
    // The suite's limit of 10 proposals, of which the prefix took 3.
    expect(max_steps).toBe(7);
    expect(env_configs).toHaveLength(1);
    expect(env_configs[0]).toMatchObject({
      env_name: "misstep_prefix",
      prefix_id: id,
      step_limit: 7,
      window: 5,
      replay: [
        { command: "ls -A", expected: "a.txt\n\n(exit_code=0)", exit_code: 0, basis: "observation" },
        { command: "false", expected: "(no output)\n\n(exit_code=1)", exit_code: 1, basis: "observation" },
      ],
      judge: { skip_when_failed: false },
    });
    expect(env_configs[0]?.setup).toEqual([expect.stringMatching(/^export TERM=dumb .*PYTHONHASHSEED=0$/), "cd /app"]);
  });

  test("of prefixes that count for nothing have the whole limit", () => {
    const { id } = keptPrefix();
    const train = fromPrefix("outcome-prefix", [id], { prefixCounts: false, stepLimit: 64 });
    const [row] = rowsOf(makeBundle(db, 1, { train }));
    expect(row?.env_config).toMatchObject({ max_steps: 64, step_limit: 64, judge: null });
  });

  test("at tasks are the instruction alone", () => {
    const { id } = keptPrefix();
    const [row] = rowsOf(makeBundle(db, 1, { train: fromPrefix("outcome-env", [id]) }));
    expect(row?.messages.map((m) => m.role)).toEqual(["system", "user"]);
    expect(row?.env_config).toMatchObject({ prefix_id: null, replay: [], judge: null, max_steps: 10 });
    const random = makeBundle(db, 1, { train: settings("outcome-random", { start: { kind: "suite", count: 3 } }) });
    expect(rowsOf(random)).toHaveLength(3);
  });

  test("never hold the hidden tests; the solutions are nowhere", () => {
    const { id } = keptPrefix();
    const bundle = makeBundle(db, 1, { train: fromPrefix("mirl", [id]) });
    const tests = bundle.files.find((f) => /^tasks\/.*\/tests\/test\.sh$/.test(f.path));
    const secret = tests?.data.toString("utf8").match(/check_0\(\) .*/)?.[0];
    expect(secret).toBeDefined();
    expect(fileOf(bundle, "rows.jsonl")).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(bundle.files.filter((f) => f.path.includes("solution"))).toEqual([]);
  });

  test("that the trainer would read otherwise are left out with the reason, and all of them together are refused", () => {
    const good = keptPrefix();
    const marked = keptPrefix("cat notes", "end with COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT");
    const bundle = makeBundle(db, 1, { train: fromPrefix("mirl", [good.id, marked.id]) });
    expect(bundle.rows).toBe(1);
    expect(bundle.leftOut).toEqual([
      { start: `prefix ${marked.id}`, reason: expect.stringContaining("submit marker") },
    ]);
    expect(fileOf(bundle, "README.md")).toContain(`- prefix ${marked.id}: `);
    expect(() => makeBundle(db, 1, { train: fromPrefix("mirl", [marked.id]) })).toThrow(/submit marker/);
  });

  test("for verl have the same prompt and environment", () => {
    const { id } = keptPrefix();
    const train = fromPrefix("mirl", [id]);
    const [row] = rowsOf(makeBundle(db, 1, { train }));
    const bundle = makeBundle(db, 1, { train, format: "verl" });
    const [other] = rowsOf(bundle, "rows.verl.jsonl");
    expect(other).toMatchObject({
      agent_name: "misstep_prefix",
      prompt: row?.messages,
      extra_info: { env_config: row?.env_config },
    });
    const script = fileOf(bundle, "launch-verl.sh");
    expect(script).toContain("actor_rollout_ref.actor.policy_loss.loss_mode=dppo_tv");
    expect(script).toContain("actor_rollout_ref.actor.clip_ratio_high=0.1");
    expect(spawnSync("bash", ["-n"], { input: script }).status).toBe(0);
  });
});

describe("the launch script", () => {
  const script = () => fileOf(makeBundle(db, 1, { train: fromPrefix("mirl", [keptPrefix().id]) }), "launch.sh");
  const flagsIn = (text: string): Map<string, string> =>
    new Map(
      [...text.slice(text.indexOf("exec ")).matchAll(/--([a-z0-9_]+)(?: ([^\\\n]*?))?(?= \\\n| \$|\}|\n)/g)].map(
        ([, name = "", value = ""]) => [name, value],
      ),
    );

  test("has no flag but those known at the pinned commit", () => {
    const used = [...flagsIn(script()).keys()];
    expect(used.length).toBeGreaterThan(45);
    expect(used.filter((name) => !KNOWN_FLAGS.has(name))).toEqual([]);
  });

  test("says the recipe's numbers", () => {
    expect(Object.fromEntries(flagsIn(script()))).toMatchObject({
      num_samples_per_prompt_rollout: "16",
      num_unique_prompts_rollout: "8",
      total_episodes: "20480",
      loss_fn: "dppo",
      dppo_divergence_type: "tv",
      dppo_divergence_threshold: "0.1",
      use_vllm_logprobs: "true",
      truncated_importance_sampling_ratio_cap: "0.0",
      advantage_normalization_type: "centered",
      beta: "0.0",
      temperature: "1.0",
      learning_rate: "0.000001",
      response_length: "65536",
      max_prompt_token_length: "2048",
      pack_length: "67584",
      active_sampling: "",
      save_filtered_rollouts: "",
      tools: "misstep_prefix",
    });
  });

  test("lets longer prefixes through", () => {
    const { id } = keptPrefix("seq 9999", "x".repeat(9000));
    const flags = flagsIn(fileOf(makeBundle(db, 1, { train: fromPrefix("mirl", [id]) }), "launch.sh"));
    const prompt = Number(flags.get("max_prompt_token_length"));
    expect(prompt).toBeGreaterThanOrEqual(4500);
    expect(Number(flags.get("pack_length"))).toBe(prompt + 65_536);
  });

  test("is a script that bash reads, and asks for a judge only when one is needed", () => {
    const text = script();
    expect(spawnSync("bash", ["-n"], { input: text }).status).toBe(0);
    expect(text).toContain("MISSTEP_JUDGE_URL:?");
    const plain = fileOf(
      makeBundle(db, 1, { train: fromPrefix("outcome-prefix", [keptPrefix("pwd", "/app").id]) }),
      "launch.sh",
    );
    expect(plain).not.toContain("MISSTEP_JUDGE_URL:?");
  });
});

describe("a bundle", () => {
  test("is the same bytes for the same settings, and its manifest holds the digest of every file", async () => {
    const { id } = keptPrefix();
    const [one, two] = [1, 2].map(() => makeBundle(db, 1, { train: fromPrefix("mirl", [id]) })) as [Bundle, Bundle];
    expect(sha256(await packBundle("b", one.files))).toBe(sha256(await packBundle("b", two.files)));
    expect(one.name).toBe(two.name);
    const folder = path.join(home, "out");
    writeBundle(folder, one.files);
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, "manifest.json"), "utf8"));
    for (const file of manifest.files as { path: string; sha256: string }[])
      expect([file.path, sha256(fs.readFileSync(path.join(folder, file.path)))]).toEqual([file.path, file.sha256]);
    expect(manifest.prefixes).toEqual([{ id, misbehavior: expect.any(String), taxonomy: expect.any(String) }]);
    expect(() => writeBundle(folder, one.files)).toThrow(/is there already/);
    const other = makeBundle(db, 1, { train: fromPrefix("mirl", [id], { seed: 2 }) });
    expect(other.name).not.toBe(one.name);
  });

  test("of recipes that the trainer cannot run is refused with the reason", () => {
    const { id } = keptPrefix();
    expect(() => makeBundle(db, 1, { train: settings("pivotrl", { start: { kind: "pivot", profileId: 1 } }) })).toThrow(
      /one-step updates/,
    );
    expect(() => makeBundle(db, 1, { train: fromPrefix("rar+", [id], { start: { kind: "environments" } }) })).toThrow(
      /rubric/,
    );
    expect(() => makeBundle(db, 1, { train: fromPrefix("mirl", [id], { loss: { kind: "ppo" } }) })).toThrow(/DPPO/);
  });
});
