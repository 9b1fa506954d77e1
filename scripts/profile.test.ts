import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aboutBubblewrap } from "@/lib/sandbox/testing";

const root = path.resolve(import.meta.dirname, "..");
let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-profile-cli-"));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const misstep = (...args: string[]) =>
  spawnSync(process.execPath, ["scripts/misstep.mjs", ...args], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: "", MISSTEP_HOME: dir, MISSTEP_ROOT: root },
    encoding: "utf8",
  });

test("a policy that does not exist is a fault of the call, and says what there is", () => {
  const { status, stderr } = misstep("profile", "--policy", "nobody");
  expect(status).toBe(2);
  expect(stderr).toMatch(/no checkpoint "nobody"/);
}, 120_000);

test.skipIf(aboutBubblewrap)(
  "profile and evaluate print what came of it, again with show, and as JSON",
  () => {
    const ran = misstep("profile", "--environments", "2", "--rollouts", "1", "--policy", "demonstrator", "--json");
    expect(ran.stderr).toBe("");
    const made = JSON.parse(ran.stdout) as { id: number; finished: number; discarded: number };
    expect(made).toMatchObject({ planned: 2, void: 0, mode: "profile", jobStatus: "done" });
    expect(made.finished + made.discarded).toBe(2);
    expect(misstep("profile", "show", String(made.id)).stdout).toMatch(/2 of 2 rollouts in 2 environments/);
    expect(JSON.parse(misstep("profile", "show", String(made.id), "--json").stdout)).toMatchObject({ id: made.id });
    const evaluated = misstep("evaluate", "--environments", "2", "--policy", "expert", "--json");
    const { rates } = JSON.parse(evaluated.stdout) as { rates: { metric: string; numerator: number }[] };
    expect(rates.find((r) => r.metric === "passed")).toMatchObject({ numerator: 2, denominator: 2, method: "wilson" });
  },
  300_000,
);
