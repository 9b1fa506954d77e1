import { readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { MISBEHAVIOR_SLUGS } from "@/lib/profile/misbehaviors";
import { localize } from "@/lib/profile/rules";
import { run, say, system, user } from "@/lib/profile/rules/steps.fixture";
import { trialName } from "./harbor";
import { observation } from "./prompt";
import { SESSIONS } from "./sessions";

const FOLDER = path.join(import.meta.dirname, "recorded");
const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((f) => f.isFile());
const texts = files.map((f) => readFileSync(path.join(f.parentPath, f.name), "utf8"));

interface AtifStep {
  step_id: number;
  source: "system" | "user" | "agent";
  message: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; arguments: { command: string } }[];
  observation?: { results: { source_call_id: string; content: string; extra: { exit_code: number } }[] };
}

function trajectory(job: string, trial: string): AtifStep[] {
  return JSON.parse(readFileSync(path.join(FOLDER, job, trial, "agent/trajectory.json"), "utf8")).steps;
}

function flags(steps: AtifStep[]): string[] {
  const canonical = steps.map((s) => {
    if (s.source === "system") return system(s.message);
    if (s.source === "user") return user(s.message);
    const more = { thinking: s.reasoning_content ?? null, message: s.message };
    const [result] = s.observation?.results ?? [];
    const command = s.tool_calls?.[0]?.arguments.command;
    return command === undefined
      ? say(s.message, more)
      : run(command, result?.content ?? null, result?.extra.exit_code ?? null, more);
  });
  return localize(canonical).map((f) => f.misbehavior);
}

it("is small and names nothing of the machine it was recorded on", () => {
  expect(texts.join("").length).toBeLessThan(400_000);
  for (const text of texts) expect(text).not.toMatch(/misstep-sample-|\/run\/rec|\/home\/|\/root\/(?!barn)/);
  if (hostname().length > 3) expect(texts.some((t) => t.includes(hostname()))).toBe(false);
});

it.each(SESSIONS.map((s) => [s.job, trialName(s), s] as const))(
  "recorded %s/%s as it is written",
  (job, trial, session) => {
    const steps = trajectory(job, trial);
    expect(steps.map((s) => s.step_id)).toEqual(steps.map((_, i) => i + 1));
    const agent = steps.filter((s) => s.source === "agent");
    expect(agent.map((s) => s.tool_calls?.[0]?.arguments.command ?? null)).toEqual(session.steps.map((s) => s.run));
    for (const s of agent) expect(s.observation?.results[0]?.source_call_id).toBe(s.tool_calls?.[0]?.tool_call_id);
    expect(readFileSync(path.join(FOLDER, job, trial, "verifier/reward.txt"), "utf8").trim()).toMatch(/^[01]$/);
  },
);

it("shows every misbehavior in the hasty job and none in the careful one", () => {
  const seen = (job: string) =>
    SESSIONS.filter((s) => s.job === job).flatMap((s) => flags(trajectory(job, trialName(s))));
  expect(seen("careful")).toEqual([]);
  expect([...new Set(seen("hasty"))].sort()).toEqual([...MISBEHAVIOR_SLUGS].sort());
});

it("shows a command's result as the policy sees it", () => {
  const ran = { stdout: "a\n", stderr: "", exitCode: 0, ms: 1 };
  expect(observation(ran)).toBe("a\n\n(exit_code=0)");
  expect(observation({ ...ran, stdout: "a", stderr: "b\n", exitCode: 3 })).toBe("a\nb\n\n(exit_code=3)");
  expect(observation({ ...ran, stdout: "" })).toBe("(no output)\n\n(exit_code=0)");
  const long = observation({ ...ran, stdout: `${"x".repeat(5000)}${"Q".repeat(2000)}${"z".repeat(5000)}` });
  expect(long).toContain("[2000 characters left out]");
  expect(long).not.toContain("Q");
});
