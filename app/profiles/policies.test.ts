import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { policyMaker, policySpec, UnknownRole } from "@/lib/profile/roles/registry";
import { put, scratch } from "@/lib/trajectory/testing";
import { policyChoices, weightsElsewhere } from "./policies";

let db: Db;
let home: string;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);

/** The base, a checkpoint of a training that lies here and one that does not, and models of imported trajectories. */
beforeEach(() => {
  home = scratch();
  vi.stubEnv("MISSTEP_HOME", home);
  db = openMemoryDb();
  sql(
    "insert into training_run (id, study_id, name, recipe, settings, launcher) values (1, 1, 'run', 'mirl', '{}', 'embedded')",
  );
  sql("insert into checkpoint (name, kind) values ('tiny-base', 'embedded'), ('gpt', 'imported')");
  sql("insert into checkpoint (name, kind, training_run_id) values ('run (in training)', 'training', 1)");
  for (const step of [6, 12])
    sql(
      "insert into checkpoint (name, kind, training_run_id, training_step) values (?, 'embedded', 1, ?)",
      ...[`run-step-${step}`, step],
    );
  put(home, path.join("checkpoints", "run-step-6", "card.json"), {});
});
afterEach(() => vi.unstubAllEnvs());

test("only checkpoints whose weights are here can be chosen, the base first; the others are counted", () => {
  expect(policyChoices(db).flatMap((p) => (p.embedded ? [p.name] : []))).toEqual(["tiny-base", "run-step-6"]);
  expect(weightsElsewhere(db)).toBe(1);
});

const refusal = (name: string): string => {
  const spec = policySpec(name);
  try {
    policyMaker(spec).checkpoint(db, spec);
  } catch (error) {
    if (error instanceof UnknownRole) return error.message;
    throw error;
  }
  return "";
};

test("pretraining is the advice for names that nothing in the index has, and for no checkpoint of a training", () => {
  expect(refusal("mine")).toMatch(/there is no checkpoint "mine" .*"misstep pretrain --name mine" makes one/);
  const absent = refusal("run-step-12");
  expect(absent).toMatch(/weights of "run-step-12" are not on this machine: the training "run" made it at step 12/);
  expect(absent).toMatch(/repeat that training/);
  for (const name of ["run-step-12", "gpt", "run (in training)"]) expect(refusal(name)).not.toMatch(/pretrain/);
  expect(refusal("gpt")).toMatch(/known here by its trajectories only/);
});
