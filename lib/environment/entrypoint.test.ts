import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { SandboxHost } from "@/lib/sandbox/types";
import { put, scratch } from "@/lib/trajectory/testing";
import { readEnvironment } from "./read";
import { openEnvironment, runSolution, runTests } from "./run";
import { storeEnvironment } from "./store";
import { generate } from "./suite/generate";
import { writeGenerated } from "./suite/write";

let db: Db;
let host: SandboxHost;
let able = false;

vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  vi.stubEnv("MISSTEP_HOME", scratch());
  db = openMemoryDb();
  host = await connectSandboxHost();
  const status = (await host.drivers()).find((d) => d.driver === "bubblewrap");
  able = status?.usable ?? false;
  if (!able) console.log(`skipped: entrypoints in real sandboxes (bubblewrap: ${status?.reason ?? "no such driver"})`);
}, 600_000);
afterAll(async () => {
  await host?.close();
  vi.unstubAllEnvs();
});

function task(name: string, entrypoint: string, script = ""): number {
  const root = scratch();
  const directory = path.join(root, name);
  put(root, `${name}/task.toml`, 'schema_version = "1.1"\n');
  put(root, `${name}/instruction.md`, "Do it.");
  put(root, `${name}/environment/Dockerfile`, `FROM misstep/base\nWORKDIR /app\nCOPY start.sh /app/\n${entrypoint}\n`);
  put(root, `${name}/environment/start.sh`, script);
  put(root, `${name}/tests/test.sh`, "#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n");
  return storeEnvironment(db, { directory, spec: readEnvironment(directory) }).id;
}

test("what an ENTRYPOINT starts is there at the first command, with the same ids every time and nothing left over", async () => {
  if (!able) return;
  const id = task("waits", 'ENTRYPOINT ["bash", "/app/start.sh"]', 'sleep 1000 & echo $! > /app/pid\nexec "$@"\n');
  const seen = [];
  for (let i = 0; i < 2; i++) {
    const { sandbox } = await openEnvironment(db, host, id);
    seen.push((await sandbox.exec("pwd; cat pid; ps -o comm= -p $(cat pid); ls -A /tmp")).stdout);
    await sandbox.dispose();
  }
  expect(seen[0]).toMatch(/^\/app\n\d+\nsleep\n$/);
  expect(seen[1]).toBe(seen[0]);
});

test("an ENTRYPOINT that ends is no environment to act in, and its words are told", async () => {
  if (!able) return;
  const id = task("ends", 'ENTRYPOINT ["bash", "/app/start.sh"]', "echo the port is taken >&2; exit 3\n");
  await expect(openEnvironment(db, host, id)).rejects.toThrow(
    /ENTRYPOINT of ends ended instead of starting: the port is taken/,
  );
});

test("a generated environment whose task is a running service goes through the whole way", async () => {
  if (!able) return;
  const generated = generate("process", 0);
  const folder = scratch();
  writeGenerated(folder, generated);
  const directory = path.join(folder, generated.name);
  const { id } = storeEnvironment(db, { directory, spec: readEnvironment(directory) });
  const rewards = [];
  for (const solve of [true, false]) {
    const { sandbox, spec } = await openEnvironment(db, host, id);
    if (solve) await runSolution(sandbox, spec);
    rewards.push((await runTests(sandbox, spec)).reward);
    await sandbox.dispose();
  }
  expect(rewards).toEqual([1, 0]);
});
