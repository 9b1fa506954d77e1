import { rmSync } from "node:fs";
import path from "node:path";
import { type Recorded, type RecordedStep, trialName, writeJob, writeTrial } from "./harbor";
import { FORMAT_ERROR, observation, SYSTEM_PROMPT, userPrompt } from "./prompt";
import { Sandbox, whyNot } from "./sandbox";
import { SESSIONS } from "./sessions";
import type { SampleSession } from "./types";

const FOLDER = path.join(import.meta.dirname, "recorded");
const STEP_SECONDS = 20;
const SETUP_SECONDS = 60;
/** Files found by the policy carry this date, so that listings are the same each time. */
const FOUND_AT = "find /app -exec touch -h -d '2026-01-05 09:30:00' {} +";

async function record(session: SampleSession): Promise<Recorded> {
  const sandbox = new Sandbox();
  try {
    const ready = await sandbox.run(`${session.task.setup}\ncd /app; ${FOUND_AT}`, SETUP_SECONDS);
    if (ready.exitCode !== 0) throw new Error(`Set-up of ${session.task.name} failed: ${ready.stderr}`);
    const startedAt = new Date();
    const steps: RecordedStep[] = [];
    for (const step of session.steps) {
      const at = new Date();
      if (step.run === null) {
        steps.push({ step, observation: null, exitCode: null, ms: 0, at });
        continue;
      }
      const ran = await sandbox.run(step.run, step.limit ?? STEP_SECONDS);
      steps.push({ step, observation: observation(ran), exitCode: ran.exitCode, ms: ran.ms, at });
    }
    const agentDoneAt = new Date();
    const test = await sandbox.run(`cd /app\n${session.task.test}`, SETUP_SECONDS);
    return {
      session,
      trial: trialName(session),
      system: SYSTEM_PROMPT,
      user: userPrompt(session.task.instruction),
      steps,
      startedAt,
      agentDoneAt,
      finishedAt: new Date(),
      testOutput: test.stdout + test.stderr,
      reward: test.exitCode === 0 ? 1 : 0,
    };
  } finally {
    await sandbox.dispose();
  }
}

/** Records every session anew: `npx tsx scripts/sample/record.ts`. Replaces `recorded/`; nothing in there is edited by hand. */
async function main(): Promise<void> {
  const reason = whyNot();
  if (reason) throw new Error(reason);
  const all: Recorded[] = [];
  for (const session of SESSIONS) {
    const recorded = await record(session);
    all.push(recorded);
    console.log(
      `${session.job.padEnd(8)} ${recorded.trial.padEnd(32)} ${String(recorded.steps.length).padStart(2)} steps  reward ${recorded.reward}`,
    );
  }
  rmSync(FOLDER, { recursive: true, force: true });
  for (const recorded of all) writeTrial(FOLDER, recorded, FORMAT_ERROR);
  for (const job of new Set(all.map((r) => r.session.job))) {
    writeJob(
      FOLDER,
      job,
      all.filter((r) => r.session.job === job),
    );
  }
}

await main();
