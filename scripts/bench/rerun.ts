import fs from "node:fs";
import path from "node:path";
import { type Db, openDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { migrateDb } from "@/db/migrate";
import { ensureOwnEnvironments } from "@/lib/environment/ownEnvironments";
import { executors } from "@/lib/jobs/executors";
import { PARALLEL } from "@/lib/jobs/executors/rerun";
import { claimJob, enqueue } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { prefixOfStep } from "@/lib/prefix/sample";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { recordCommands } from "@/lib/profile/record";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { Measure } from "./measure";

const PREFIXES = 200;

/** What agents do at the start of any task: look around, search, look things up. */
const LOOK = [
  "pwd; ls -R /app | head -50",
  "find /app -type f | sort | xargs wc -c",
  "find / -xdev -name '*.conf' 2>/dev/null | wc -l",
  "grep -rIl --include='*.sh' bash /usr/share 2>/dev/null | wc -l",
];

/** Work in each of the own environments: a try, a check, a repair, a check. */
const WORK: Record<string, string[]> = {
  "count-refusals": [
    "head -3 gates/*.log",
    'for l in gates/*.log; do echo "$(basename $l .log) $(grep -c refused $l)"; done | sort',
    "for l in gates/*.log; do tr -d '\\r' < $l | awk '{print $3}' | sort | uniq -c; done",
    "for l in gates/*.log; do echo \"$(basename $l .log) $(tr -d '\\r' < $l | grep -cE ' verdict=refused( |$)')\"; done | sort > refused.txt",
    "cat refused.txt; git status 2>&1 | head -1",
  ],
  "drop-twins": [
    "find counts -type f -exec sha256sum {} + | sort",
    "find counts -type f -exec sha256sum {} + | awk '{print $1}' | sort | uniq -d | wc -l",
    "for i in $(seq 20); do find counts -type f -exec sha256sum {} + | sort | sha256sum; done | uniq -c",
    "find counts -type f | LC_ALL=C sort | tail -3",
    "find counts -type f | wc -l",
  ],
  "mend-harvest": [
    "cat harvest.sh; head -3 data/harvest.csv",
    "bash harvest.sh",
    "sed -i 's/-F,/-F\\;/; s/+1/+2/; s/^tail/mkdir -p out; tail/' harvest.sh; cat harvest.sh",
    "for i in $(seq 20); do bash harvest.sh > /dev/null; done; bash harvest.sh",
    "cat out/sacks.txt | awk '{ n += $2 } END { print n }'",
  ],
  "rename-sheets": [
    "ls -1 sheets | cat -A",
    "for f in sheets/*; do echo \"$f\" | tr '[:upper:]' '[:lower:]' | tr -s ' ' '-'; done",
    'cd sheets && for f in *; do n=$(printf %s "$f" | tr \'[:upper:]\' \'[:lower:]\' | tr -s \' \' \'-\'); [ "$f" = "$n" ] || mv -n -- "$f" "$n"; done; ls',
    "cat * | sha256sum; cd ..",
    "ls sheets | wc -l",
  ],
  "seal-ledger": [
    "sha256sum --check ledger.sha256 2>&1 | tail -4",
    "sha256sum --check ledger.sha256 2>/dev/null | grep -c FAILED",
    "for i in $(seq 20); do sha256sum ledger/* | sort > /tmp/sums; done; wc -l /tmp/sums",
    "cut -c67- ledger.sha256",
    "diff <(cut -c67- ledger.sha256) <(cut -c67- /tmp/sums) && echo same names",
  ],
  "water-plan": [
    "cat etc/water.conf; cat bin/minutes",
    "bin/minutes north; bin/minutes south",
    "sed -i '/^\\[north\\]$/,/^\\[/ s/^minutes = .*/minutes = 25/' etc/water.conf; bin/minutes north",
    "for i in $(seq 20); do for s in north south; do bin/minutes $s; done; done | sort | uniq -c",
    "grep -n minutes etc/water.conf",
  ],
};

/** Records each environment often enough, and makes the prefixes of its later steps. */
async function prepare(db: Db): Promise<number[]> {
  const host = await connectSandboxHost();
  const prefixes: number[] = [];
  try {
    const environments = Object.entries(WORK);
    for (let round = 0; prefixes.length < PREFIXES; round++) {
      const [name, work] = environments[round % environments.length] as [string, string[]];
      const commands = [...LOOK, ...work];
      const id = await recordCommands(db, host, name, commands);
      for (let at = 5; at <= commands.length && prefixes.length < PREFIXES; at++)
        prefixes.push(prefixOfStep(db, stepId(id, at)));
    }
  } finally {
    await host.close();
  }
  return prefixes;
}

/** Share of a rerun job's wall time that is spent inside commands, on all cores. */
export async function benchRerun(work: string, say: (text: string) => void): Promise<Measure[]> {
  const home = path.join(work, "rerun");
  fs.mkdirSync(home, { recursive: true });
  const before = process.env.MISSTEP_HOME;
  process.env.MISSTEP_HOME = home;
  const db = openDb(path.join(home, "misstep.db"));
  try {
    migrateDb(db, path.join(process.env.MISSTEP_ROOT ?? process.cwd(), "db/migrations"));
    seedBuiltinTypes(db);
    ensureOwnEnvironments(db);
    const prefixes = await prepare(db);
    const id = enqueue(db, { kind: "rerun", title: "bench", params: { prefixes, repeats: 1 }, requestedBy: "bench" });
    const job = claimJob(db, "bench", id);
    const executor = executors.rerun;
    if (!job || !executor) throw new Error("the rerun job could not be claimed");
    const from = performance.now();
    await runJob(db, job, executor, "bench", new AbortController().signal);
    const wall = performance.now() - from;
    const one = (sql: string) => db.$client.prepare(sql).pluck().get() as number;
    const inside = one("select total(duration_ms) from rerun_step");
    const commands = one("select count(*) from rerun_step");
    const kept = one("select count(*) from rerun where verdict = 'exact'");
    const share = Math.round((1000 * inside) / (wall * PARALLEL)) / 10;
    say(
      `rerun: ${prefixes.length} prefixes, ${commands} commands in ${(wall / 1000).toFixed(1)} s with ${PARALLEL} at a time; ${kept} exact; ` +
        `mean command ${(inside / commands).toFixed(1)} ms`,
    );
    return [
      {
        name: `time inside commands of a rerun job (${prefixes.length} prefixes, ${PARALLEL} at a time)`,
        value: share,
        unit: "%",
        budget: "at least 80",
        met: share >= 80,
        detail: {
          wallMs: Math.round(wall),
          commands,
          exact: kept,
          meanCommandMs: Math.round((10 * inside) / commands) / 10,
          besidesPerRerunMs: Math.round((10 * (wall * PARALLEL - inside)) / prefixes.length) / 10,
        },
      },
    ];
  } finally {
    db.$client.close();
    if (before === undefined) delete process.env.MISSTEP_HOME;
    else process.env.MISSTEP_HOME = before;
  }
}
