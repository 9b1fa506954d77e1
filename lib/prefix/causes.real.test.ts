import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { ensureOwnEnvironments } from "@/lib/environment/ownEnvironments";
import { openEnvironment } from "@/lib/environment/run";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { recordCommands } from "@/lib/profile/record";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { SandboxHost } from "@/lib/sandbox/types";
import { type RerunResult, rerunPrefix } from "./rerun";
import { prefixOfStep } from "./sample";
import { prefixTarget } from "./target";
import type { Cause } from "./types";

let home: string;
let before: string | undefined;
let db: Db;
let host: SandboxHost | null = null;

beforeAll(async () => {
  before = process.env.MISSTEP_HOME;
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-causes-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
  seedBuiltinTypes(db);
  const connected = await connectSandboxHost();
  const bubblewrap = (await connected.drivers()).find((d) => d.driver === "bubblewrap");
  if (bubblewrap?.usable) {
    host = connected;
    ensureOwnEnvironments(db);
  } else {
    process.stdout.write(
      `causes of real differences: skipped, bubblewrap cannot be used here (${bubblewrap?.reason})\n`,
    );
    await connected.close();
  }
}, 120_000);
afterAll(async () => {
  await host?.close();
  db?.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
  if (before === undefined) delete process.env.MISSTEP_HOME;
  else process.env.MISSTEP_HOME = before;
});

/** Records the commands in an environment and reruns them all; `between` runs after recording. */
async function recordAndRerun(
  environment: string,
  commands: string[],
  between?: () => Promise<void>,
  tries = 1,
): Promise<RerunResult> {
  const at = host as SandboxHost;
  const id = await recordCommands(db, at, environment, commands, { driver: "bubblewrap" });
  await between?.();
  // The last command is the step the prefix ends before.
  const target = prefixTarget(db, prefixOfStep(db, stepId(id, commands.length)));
  if (!target || target.environmentId === null) throw new Error(target?.missing ?? "no prefix");
  const fresh = async () => (await openEnvironment(db, at, target.environmentId as number)).sandbox;
  const signal = new AbortController().signal;
  let result = await rerunPrefix(target.replay, fresh, { mode: "stop", signal });
  // A race may come out the same by chance.
  for (let i = 1; i < tries && result.verdict === "exact"; i++)
    result = await rerunPrefix(target.replay, fresh, { mode: "stop", signal });
  return result;
}

const SECOND = () => new Promise<void>((resolve) => setTimeout(resolve, 1100));
const END = "echo end";

const deterministic: [string, string, string[]][] = [
  ["reading", "count-refusals", ["pwd", "ls", "find . -type f | sort | head -20", "cat /etc/os-release | head -1"]],
  [
    "writing and exporting",
    "drop-twins",
    [
      "mkdir -p w && cd w",
      "export N=3",
      'for i in $(seq $N); do echo "row $i" > f$i.txt; done',
      "cat f*.txt",
      "wc -l *.txt",
      "nosuchcommand",
    ],
  ],
  ["a seed fixed in the shell", "rename-sheets", ["RANDOM=7; echo $RANDOM $RANDOM", "seq 1 4000", "false"]],
  [
    "the processes of a sandbox",
    "seal-ledger",
    ["echo $$", "sleep 30 & echo $!", "ps -o pid,comm 2>/dev/null || ls /proc | grep -c '^[0-9]'"],
  ],
];

test.each(deterministic)(
  "%s: kept",
  async (_, environment, commands) => {
    if (!host) return;
    const result = await recordAndRerun(environment, [...commands, END], SECOND);
    expect(result.commands.filter((c) => !c.exact).map((c) => [c.index, c.seen.text, c.diagnosis])).toEqual([]);
    expect(result).toMatchObject({ verdict: "exact", kept: { exact: true, normalised: true, exitCode: true } });
  },
  60_000,
);

/** Commands, the number of the first that must differ, and why. */
const different: [string, string[], number, Cause, tries?: number][] = [
  [
    "ps after an unknown number of processes",
    ["for i in $(seq $((RANDOM % 200 + 1))); do /bin/true; done", "sleep 30 & sleep 0.05; ps -e -o pid,comm", END],
    2,
    "pid",
    5,
  ],
  [
    "the number of a background job",
    ["for i in $(seq $((RANDOM % 200 + 1))); do /bin/true; done", "sleep 30 & echo $!", END],
    2,
    "pid",
    5,
  ],
  ["a background race", ["pwd", "for i in $(seq 24); do (sleep 0.02; echo $i) & done; wait", END], 2, "order", 20],
  [
    "a file that background work may not have written yet",
    ["pwd", "(sleep 0.0$((RANDOM % 10)); echo done > late.txt) & sleep 0.045; cat late.txt", END],
    2,
    "order",
    20,
  ],
  ["date", ["pwd", "date", END], 2, "time"],
  ["date with a format", ["date +%s", END], 1, "time"],
  ["ls -la of fresh files", ["ls", "touch new.txt", "ls -la --time-style=full-iso new.txt", END], 3, "time"],
  ["$RANDOM", ["echo a", "echo $RANDOM", END], 2, "randomness"],
  ["a random number kept in a file", ["echo $RANDOM$RANDOM > /tmp/n", "ls /tmp/n", "cat /tmp/n", END], 3, "randomness"],
  ["shuffled lines", ["seq 60 | shuf", END], 1, "randomness"],
  ["mktemp", ["true", "mktemp", END], 2, "temp-name"],
  ["mktemp in a variable", ["export W=$(mktemp -d /tmp/build.XXXXXX)", 'echo "work in $W"', END], 2, "temp-name"],
  ["time", ["time sleep 0.0$((RANDOM % 90 + 10))", END], 1, "duration"],
  ["an address", ["cat /proc/self/maps | head -1 | sed 's/^/0x/; s/-.*//'", END], 1, "address"],
];

test.each(different)(
  "%s: the right command and cause",
  async (_, commands, number, cause, tries = 1) => {
    if (!host) return;
    const result = await recordAndRerun("count-refusals", commands, SECOND, tries);
    expect(result.verdict).toBe("different");
    const last = result.commands.at(-1);
    expect([last?.index, last?.diagnosis?.cause]).toEqual([number, cause]);
  },
  60_000,
);
