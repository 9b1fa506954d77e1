import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { put, scratch } from "@/lib/trajectory/testing";
import { discoverEnvironments, readEnvironment } from "./read";

const HARBOR = {
  "task.toml": `schema_version = "1.1"
[task]
name = "team/tidy"
keywords = ["files"]
[metadata]
difficulty = "easy"
[agent]
timeout_sec = 60.0
user = "agent"
[verifier]
timeout_sec = 30
[verifier.env]
STRICT = 1
[environment]
cpus = 1
memory_mb = 512
allow_internet = true
[environment.healthcheck]
command = "true"
`,
  "instruction.md": "Tidy up.\n",
  "environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\n",
  "tests/test.sh": "#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n",
  "solution/solve.sh": "true\n",
};
const TERMINAL_BENCH = {
  "task.yaml":
    "instruction: |-\n  Do it.\n  Twice.\ndifficulty: hard\ntags: [a, b]\nparser_name: pytest\nmax_test_timeout_sec: 90\n",
  Dockerfile: "FROM debian:12\n",
  "docker-compose.yaml": "services: {}\n",
  "run-tests.sh": "exit 0\n",
  "tests/test_it.py": "",
};

test("a Harbor directory of schema 1.1 gives its limits, users, variables and what is not done", () => {
  const spec = readEnvironment(scratch(HARBOR));
  expect(spec).toMatchObject({
    kind: "harbor",
    schemaVersion: "1.1",
    name: "team/tidy",
    instruction: "Tidy up.\n",
    difficulty: "easy",
    tags: ["files"],
    agentTimeoutSec: 60,
    verifierTimeoutSec: 30,
    memoryMb: 512,
    allowInternet: true,
    dockerfile: "environment/Dockerfile",
    tests: "tests/test.sh",
    solution: "solution/solve.sh",
    verifierEnv: { STRICT: "1" },
    user: "agent",
    dockerImage: null,
    category: null,
  });
  expect(spec.warnings.join()).toMatch(/health check/);
});

test("schema 1.0 writes memory as text and names an image beside the Dockerfile", () => {
  const root = scratch({
    ...HARBOR,
    "task.toml": 'version = "1.0"\n[environment]\nmemory = "2G"\nstorage = "512M"\ndocker_image = "a/b:1"\n',
  });
  const spec = readEnvironment(root);
  expect(spec).toMatchObject({ schemaVersion: "1.0", memoryMb: 2048, storageMb: 512, dockerImage: "a/b:1" });
  expect(spec.name).toBe(path.basename(root));
  expect(spec.allowInternet).toBe(false);
});

test("a Terminal-Bench directory keeps its instruction and says that compose files are not used", () => {
  const spec = readEnvironment(scratch(TERMINAL_BENCH));
  expect(spec).toMatchObject({
    kind: "terminal-bench",
    instruction: "Do it.\nTwice.",
    tags: ["a", "b"],
    verifierTimeoutSec: 90,
    tests: "run-tests.sh",
    solution: null,
  });
  expect(spec.warnings.join("\n")).toMatch(/docker-compose\.yaml/);
  expect(spec.warnings.join("\n")).toMatch(/no reference solution/);
});

test("the digest follows names, contents and executable bits, and not the other bits of a mode", () => {
  const root = scratch(HARBOR);
  const first = readEnvironment(root).digest;
  expect(readEnvironment(scratch(HARBOR)).digest).toBe(first);
  fs.chmodSync(path.join(root, "instruction.md"), 0o600);
  expect(readEnvironment(root).digest).toBe(first);
  fs.chmodSync(path.join(root, "solution/solve.sh"), 0o755);
  const executable = readEnvironment(root).digest;
  expect(executable).not.toBe(first);
  fs.renameSync(path.join(root, "tests/test.sh"), path.join(root, "tests/check.sh"));
  expect(readEnvironment(root).digest).not.toBe(executable);
});

test.each([
  ["broken TOML", { "task.toml": 'a = "1\n' }, /task\.toml \(line 1, column \d+\)/],
  ["a wrong type", { "task.toml": '[agent]\ntimeout_sec = "long"\n' }, /task\.toml \(agent\.timeout_sec\)/],
  ["an unknown major version", { "task.toml": 'schema_version = "2.0"\n' }, /version 2\.0 is not known/],
  [
    "a size without meaning",
    { "task.toml": '[environment]\nmemory = "lots"\n' },
    /environment\.memory.*"lots" is no size/,
  ],
])("%s is refused with its place", (_, files, message) => {
  expect(() => readEnvironment(scratch({ ...HARBOR, ...files }))).toThrow(message);
});

test("no instruction, no image, a link that leads out: each is refused with its reason", () => {
  const { "instruction.md": _, ...silent } = HARBOR;
  expect(() => readEnvironment(scratch(silent))).toThrow(/instruction\.md: .*no instruction/);
  const { "environment/Dockerfile": __, ...bare } = HARBOR;
  expect(() => readEnvironment(scratch(bare))).toThrow(/neither environment\/Dockerfile nor docker_image/);
  const root = scratch(HARBOR);
  fs.symlinkSync("/etc/passwd", path.join(root, "tests/secrets"));
  expect(() => readEnvironment(root)).toThrow(/tests\/secrets: the link points outside/);
  expect(() => readEnvironment(scratch({ "task.yaml": "instruction: [" }))).toThrow(/task\.yaml \(line 1/);
});

test("a folder of many gives all that can be read and lists the rest", () => {
  const root = scratch();
  for (const [name, content] of Object.entries(HARBOR)) put(root, `set/one/${name}`, content);
  for (const [name, content] of Object.entries(TERMINAL_BENCH)) put(root, `set/two/${name}`, content);
  put(root, "set/three/task.toml", "= no");
  put(root, "readme.md", "hello");
  const { found, refused } = discoverEnvironments(root);
  expect(found.map((f) => path.relative(root, f.directory))).toEqual(["set/one", "set/two"]);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.path).toMatch(/three\/task\.toml$/);
});
