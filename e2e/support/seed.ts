import { type Db, openDb } from "@/db/client";
import { home, projectRoot } from "@/db/home";
import { migrateDb } from "@/db/migrate";
import { blank, entry, insertFlags, insertTrajectory, insertTypes, ran } from "./insert";

const ESC = "\u001b";
const usage = (n: number) => ({
  promptTokens: 900 * n,
  completionTokens: 60 * n,
  cachedTokens: 400 * n,
  reasoningTokens: null,
  costUsd: 0.0021 * n,
});
const at = (n: number) => ({
  raw: new Date(1_767_000_000_000 + n * 7_000).toISOString(),
  ms: 1_767_000_000_000 + n * 7_000,
  zoned: true,
});

/** A short rollout with one of each thing the reader shows. */
async function ordinary(db: Db, attempt: number): Promise<number> {
  const retry = "python3 count.py logs/app.log";
  const trace =
    "Traceback (most recent call last):\n  File \"count.py\", line 3, in <module>\n    main(sys.argv[1])\nNameError: name 'sys' is not defined\n";
  const steps = [
    entry({ kind: "system", message: "You work in a shell. Answer with one command at a time." }),
    entry({
      kind: "user",
      message:
        "Count the error lines of logs/app.log and write the number to answer.txt.\n\nLines count when they carry the level ERROR.",
    }),
    ran(
      "ls -la logs && head -n 3 logs/app.log",
      `total 8\n-rw-r--r-- 1 app app 5120 Jan  3 10:00 ${ESC}[1;34mapp.log${ESC}[0m\n10:00 ${ESC}[32mINFO${ESC}[0m up\n10:01 ${ESC}[31mERROR${ESC}[0m lost peer\n10:02 ${ESC}[33mWARN${ESC}[0m slow\n`,
      0,
      {
        turn: 0,
        thinking: "I should look at the file before I count anything.\nThe level may be coloured.",
        message: "Let me look at the log first.",
        usage: usage(1),
        time: at(1),
        durationMs: 140,
      },
    ),
    ran(`cat > count.py <<'EOF'\nimport re\n\nmain(sys.argv[1])  # count by level\nEOF`, "", 0, {
      turn: 1,
      usage: usage(2),
      time: at(2),
      durationMs: 30,
    }),
    ran(retry, trace, 1, { turn: 2, message: "Now I run it.", usage: usage(3), time: at(3), durationMs: 320 }),
    ran(retry, trace, 1, { turn: 3, thinking: "It should work now.", usage: usage(4), time: at(4), durationMs: 310 }),
    ran(
      "pip install colorama 2>&1 | tail -n 2",
      "Downloading  10%\rDownloading  55%\rDownloading 100%\nInstalled colorama\n",
      0,
      { turn: 4, usage: usage(5), time: at(5), durationMs: 8_200 },
    ),
    entry({ note: "format-error", message: "I am done, I think.", turn: 5 }),
    entry({
      kind: "user",
      note: "format-error",
      message: "No command was found in your answer. Answer with exactly one.",
    }),
    ran("grep -c ERROR logs/app.log", "17\n", 0, {
      turn: 6,
      message: "Two things at once.",
      usage: usage(6),
      time: at(6),
      durationMs: 12,
    }),
    ran("file logs/app.log", "logs/app.log: ASCII text, with escape sequences\n", 0, { turn: 6, durationMs: 9 }),
    ran(
      `for i in $(seq 1 400); do echo "line $i"; done`,
      Array.from({ length: 400 }, (_, i) => `line ${i + 1}`).join("\n"),
      0,
      { turn: 7, usage: usage(7), time: at(7), durationMs: 50 },
    ),
    ...(attempt === 2
      ? [
          ran("sleep 200", "", null, {
            turn: 8,
            observations: [
              {
                callId: null,
                content: "",
                output: null,
                full: null,
                exitCode: null,
                timedOut: true,
                error: "command timed out after 120 s",
              },
            ],
            time: at(8),
            durationMs: 120_000,
          }),
        ]
      : [
          ran("echo 17 > answer.txt && cat answer.txt", "17\n", 0, {
            turn: 8,
            time: at(8),
            usage: usage(8),
            durationMs: 6,
          }),
        ]),
    entry({ kind: "user", note: "exit", message: "Submitted" }),
  ];
  const id = await insertTrajectory(
    db,
    blank({
      name: `count-errors__try${attempt}`,
      task: "count-errors",
      model: attempt === 3 ? "large-model" : "small-model",
      agent: "shell-agent",
      agentVersion: "0.3.0",
      format: "harbor-trial",
      attempt,
      outcome: attempt === 2 ? "failed" : "passed",
      reward: attempt === 2 ? 0 : 1,
      rewards: { reward: attempt === 2 ? 0 : 1 },
      exception:
        attempt === 2 ? { type: "AgentTimeoutError", message: "The agent ran out of time.", traceback: null } : null,
      usage: {
        promptTokens: 32_000 * attempt,
        completionTokens: 2_100,
        cachedTokens: 12_000,
        reasoningTokens: null,
        costUsd: 0.0756 * attempt,
      },
      startedAt: at(0),
      finishedAt: at(9),
      durationMs: 63_000,
      steps: attempt === 3 ? steps.filter((_, i) => i !== 5) : steps,
      artifacts: [
        {
          name: "verifier/test-stdout.txt",
          text: `${ESC}[1m==== test session starts ====${ESC}[0m\n${ESC}[32m1 passed${ESC}[0m in 0.02s\n`,
        },
      ],
      warnings: attempt === 1 ? [{ path: "/steps/4/time", message: "The time has no zone; it was read as UTC." }] : [],
      source: { job: "demo", config: { temperature: 0.7, tools: ["bash"] } },
    }),
  );
  if (attempt !== 3)
    insertFlags(db, id, [
      {
        entry: 5,
        slug: "retry-same-cause",
        reason: "The same command failed one step before with the same NameError, and nothing was changed in between.",
        evidence: [{ step: 4, part: "output", start: trace.indexOf("NameError"), end: trace.length - 1 }],
      },
      {
        entry: 9,
        slug: "unneeded-checks",
        reason: "The answer was visible already.",
        evidence: [{ step: 2, part: "command", start: 0, end: 6 }],
      },
    ]);
  return id;
}

/** Ten thousand steps. */
async function long(db: Db): Promise<number> {
  const steps = Array.from({ length: 10_000 }, (_, i) =>
    ran(
      `echo step ${i + 1} && ls /tmp/dir-${i % 97}`,
      i % 50 === 49 ? `${"x".repeat(30)}${"\n".repeat(180)}end ${i + 1}` : `step ${i + 1}\n${"file\n".repeat(i % 9)}`,
      i % 23 === 22 ? 2 : 0,
      { turn: i, thinking: i % 4 === 0 ? `Thought ${i + 1}` : null },
    ),
  );
  const id = await insertTrajectory(
    db,
    blank({
      name: "ten-thousand",
      task: "long-haul",
      model: "small-model",
      format: "misstep",
      steps: [entry({ kind: "user", message: "Go on." }), ...steps],
    }),
  );
  insertFlags(
    db,
    id,
    [123, 4_000, 9_990].map((e) => ({
      entry: e,
      slug: "unneeded-checks",
      reason: `Step ${e} lists a folder again.`,
      evidence: [{ step: e - 97, part: "command", start: 0, end: 4 }],
    })),
  );
  return id;
}

/** Fills a database with small made-up rollouts. */
export async function seed(db: Db): Promise<{ ordinary: number[]; long: number; empty: number; big: number }> {
  insertTypes(db, [
    { slug: "unneeded-checks", name: "Repeats unnecessary checks" },
    { slug: "retry-same-cause", name: "Retries without changing the cause" },
  ]);
  const ids = [await ordinary(db, 1), await ordinary(db, 2), await ordinary(db, 3)];
  const empty = await insertTrajectory(
    db,
    blank({
      name: "nothing-happened",
      task: "count-errors",
      exception: { type: "EnvironmentStartError", message: "The container did not start.", traceback: null },
    }),
  );
  const big = await insertTrajectory(
    db,
    blank({
      name: "big-output",
      task: "big",
      steps: [
        ran("cat all.log", `${ESC}[36m2026${ESC}[0m some words of a log line that repeats itself\n`.repeat(20_000)),
        ran("cat one-line.json", "0123456789".repeat(100_000)),
        ran("true", ""),
      ],
    }),
  );
  return { ordinary: ids, long: await long(db), empty, big };
}

// Run as a program it fills the database of MISSTEP_HOME and prints the ids.
if (process.argv[1]?.endsWith("e2e/support/seed.ts")) {
  const db = openDb(home().database);
  migrateDb(db, `${projectRoot()}/db/migrations`);
  process.stdout.write(JSON.stringify(await seed(db)));
}
