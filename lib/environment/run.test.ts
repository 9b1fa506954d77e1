import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { SandboxHost } from "@/lib/sandbox/types";
import { put, scratch } from "@/lib/trajectory/testing";
import { drawMark, putAnew, readScript, textsFrom } from "./filesInside";
import { ensureOwnEnvironments } from "./ownEnvironments";
import { readEnvironment } from "./read";
import { openEnvironment, runSolution, runTests } from "./run";
import { storeEnvironment, substitute } from "./store";

let db: Db;
let host: SandboxHost;
let able = false;

/** Machines on which tests run are busy. */
vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  vi.stubEnv("MISSTEP_HOME", scratch());
  db = openMemoryDb();
  host = await connectSandboxHost();
  const status = (await host.drivers()).find((d) => d.driver === "bubblewrap");
  able = status?.usable ?? false;
  if (!able) console.log(`skipped: real sandboxes (bubblewrap: ${status?.reason ?? "no such driver"})`);
  ensureOwnEnvironments(db);
}, 600_000);
afterAll(async () => {
  await host?.close();
  vi.unstubAllEnvs();
});

const OWN = ["count-refusals", "drop-twins", "mend-harvest", "rename-sheets", "seal-ledger", "water-plan"];

/** A Harbor task whose Dockerfile and tests are given. */
function task(name: string, dockerfile: string, test = "echo 1 > /logs/verifier/reward.txt", toml = ""): number {
  const root = scratch();
  const files = {
    "task.toml": `schema_version = "1.1"\n[verifier]\ntimeout_sec = 20.0\n${toml}`,
    "instruction.md": "Do it.",
    "environment/Dockerfile": dockerfile,
    "environment/seeds/note.txt": "a note\n",
    "tests/test.sh": `#!/bin/bash\n${test}\n`,
  };
  for (const [file, content] of Object.entries(files)) put(root, `${name}/${file}`, content);
  const directory = path.join(root, name);
  return storeEnvironment(db, { directory, spec: readEnvironment(directory) }).id;
}

async function inside<T>(
  which: number | string,
  work: (open: Awaited<ReturnType<typeof openEnvironment>>) => Promise<T>,
) {
  const open = await openEnvironment(db, host, which);
  try {
    return await work(open);
  } finally {
    await open.sandbox.dispose();
  }
}

test.each(OWN)("%s: the reference solution gets r_o = 1, doing nothing 0", async (name) => {
  if (!able) return;
  const solved = await inside(name, async ({ sandbox, spec }) => {
    expect((await runSolution(sandbox, spec)).exitCode).toBe(0);
    return runTests(sandbox, spec);
  });
  expect(solved).toMatchObject({ status: "done", reward: 1, voidReason: null });
  expect(solved.tests.length).toBeGreaterThan(2);
  const nothing = await inside(name, ({ sandbox, spec }) => runTests(sandbox, spec));
  expect(nothing).toMatchObject({ status: "done", reward: 0 });
  expect(nothing.tests.some((t) => t.status === "failed")).toBe(true);
});

test("a fresh start lists the same bytes every time, folder times included", async () => {
  if (!able) return;
  const listing = () =>
    inside(
      "count-refusals",
      async ({ sandbox }) => (await sandbox.exec("pwd; ls -la --time-style=full-iso . gates")).observation,
    );
  const first = await listing();
  expect(first).toMatch(/^\/app\n/);
  expect(first).toContain("2024-01-01");
  expect(await listing()).toBe(first);
});

test("RUN works without a network and its results are there on every start; the named user is the sandbox's own", async () => {
  if (!able) return;
  const id = task(
    "made",
    [
      "FROM debian:12",
      "RUN useradd --create-home --shell /bin/bash agent && mkdir -p /app/data && chown -R agent:agent /app",
      "ENV GREETING='hello there'",
      "WORKDIR /app",
      "COPY seeds/note.txt data/",
      'RUN echo "$GREETING" > made.txt && ln -s data/note.txt link && chmod 600 made.txt && rm data/note.txt && cp made.txt data/note.txt',
      "RUN mkdir -p deep/er && touch 'deep/er/a b' && chmod 750 deep && rm -r data && mv made.txt 'deep/it is made'",
      "RUN printf '#!/bin/sh\\necho tool' > /usr/local/bin/tool && chmod +x /usr/local/bin/tool && echo mine > /etc/mine",
      "USER agent",
    ].join("\n"),
  );
  const result = await inside(id, async ({ sandbox, notes }) => {
    expect(notes.join("\n")).toMatch(/user agent is the sandbox's one user/);
    return sandbox.exec(
      'whoami; id -u; cat "deep/it is made"; stat -c "%a %y" deep/it*; stat -c %a deep; find . | sort; echo "$GREETING $HOME"; tool; cat /etc/mine',
    );
  });
  expect(result.stdout).toBe(
    [
      "agent\n1000\nhello there\n600 2024-01-01 00:00:00.000000000 +0000\n750",
      ".\n./deep\n./deep/er\n./deep/er/a b\n./deep/it is made\n./link\nhello there /home/agent\ntool\nmine\n",
    ].join("\n"),
  );
});

test("a RUN cannot take away what lies in the base", async () => {
  if (!able) return;
  const id = task("lessened", "FROM debian:12\nRUN rm /etc/passwd\n");
  await expect(openEnvironment(db, host, id)).rejects.toThrow(/line 2: RUN deletes \/etc\/passwd of the base image/);
});

test("a RUN that fails says its line and what it printed, and nothing half built stays", async () => {
  if (!able) return;
  const id = task("broken", "FROM debian:12\nRUN mkdir /made\nRUN echo before && false\n");
  for (let i = 0; i < 2; i += 1)
    await expect(openEnvironment(db, host, id)).rejects.toThrow(
      /cannot be built\. Dockerfile line 3: RUN ended with exit code 1[\s\S]*before/,
    );
});

test("what cannot run is refused before anything starts, with every reason; a substitution is needed and shown", async () => {
  if (!able) return;
  const id = task("foreign", "FROM ubuntu:24.04\nWORKDIR /app\n");
  await expect(openEnvironment(db, host, id)).rejects.toMatchObject({
    kind: "unsupported",
    message: expect.stringMatching(/ubuntu:24\.04 is not there[\s\S]*--base ubuntu:24\.04=base/),
  });
  substitute(db, id, "ubuntu:24.04", "base");
  const notes = await inside(id, async (open) => open.notes);
  expect(notes.join()).toMatch(/ubuntu:24\.04 is replaced by the base/);
});

test("files go in and come out byte by byte, whatever is in them and whatever the agent's variables are", async () => {
  if (!able) return;
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const large = Buffer.alloc(70_000, "x\n");
  const id = task("carried", "FROM debian:12\nWORKDIR /app\n");
  await inside(id, async ({ sandbox }) => {
    await sandbox.exec("mkdir -p /tests; echo old > /tests/old; export PATH=/nowhere LC_ALL=C.UTF-8; set -C");
    await putAnew(
      sandbox,
      ["/tests", "/logs/verifier"],
      [
        { kind: "file", path: "/tests/deep er/it's %d\\n.bin", data: bytes, executable: true },
        { kind: "file", path: "/tests/large", data: large, executable: false },
        { kind: "file", path: "/tests/empty", data: Buffer.alloc(0), executable: false },
        { kind: "link", path: "/tests/link", target: "deep er" },
      ],
    );
    expect([...(await sandbox.readFile("/tests/link/it's %d\\n.bin"))]).toEqual([...bytes]);
    expect(
      (await sandbox.exec("/usr/bin/stat -c '%a %s' /tests/*/* /tests/large /tests/empty; /bin/ls /tests")).stdout,
    ).toBe("755 256\n755 256\n644 70000\n644 0\ndeep er\nempty\nlarge\nlink\n");
    const texts = async (...files: string[]) => {
      const mark = drawMark();
      const done = await sandbox.exec(`echo before; ${readScript(mark, files)}`);
      const read = await textsFrom(sandbox, done, mark, files);
      expect(read.before).toBe("before\n");
      return read.texts;
    };
    expect(await texts("/tests/empty", "/tests/none", "/tests", "/tests/large")).toEqual([
      "",
      null,
      null,
      large.toString(),
    ]);
    await sandbox.writeFile("/tests/nul", Buffer.from([0x61, 0x00, 0x62, 0x0a]));
    await sandbox.writeFile("/tests/long", Buffer.alloc(3_000_000, "y"));
    expect(await texts("/tests/nul", "/tests/empty")).toEqual(["a\0b\n", ""]);
    expect((await texts("/tests/long", "/tests/empty"))[0]?.length).toBe(3_000_000);
    await expect(
      putAnew(sandbox, ["/proc/1"], [{ kind: "file", path: "/proc/1/x", data: bytes, executable: false }]),
    ).rejects.toThrow(/\/proc\/1/);
  });
});

test("tests are not there before they run, a planted reward does not count, and a hanging test is void", async () => {
  if (!able) return;
  const id = task(
    "guarded",
    "FROM debian:12\nWORKDIR /app\n",
    "test -e /app/done && echo 1 > /logs/verifier/reward.txt || exit 3",
  );
  const planted = await inside(id, async ({ sandbox, spec }) => {
    expect((await sandbox.exec("ls /tests/test.sh")).exitCode).not.toBe(0);
    await sandbox.exec("mkdir -p /logs/verifier /tests; echo 1 > /logs/verifier/reward.txt; export PATH=/nowhere");
    return runTests(sandbox, spec);
  });
  expect(planted).toMatchObject({ status: "void", reward: null, exitCode: 3, log: "" });
  const hanging = task("hanging", "FROM debian:12\n", "echo 0 > /logs/verifier/reward.txt; sleep 60", "").valueOf();
  db.$client
    .prepare("update environment set spec = json_set(spec, '$.verifierTimeoutSec', 1) where id = ?")
    .run(hanging);
  const hung = await inside(hanging, ({ sandbox, spec }) => runTests(sandbox, spec));
  expect(hung).toMatchObject({ status: "void", reward: null });
  expect(hung.voidReason).toMatch(/did not end within 1 s/);
});
