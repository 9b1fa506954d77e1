import { createHash } from "node:crypto";
import { Draw } from "./draw";
import { archive } from "./families/archive";
import { binary } from "./families/binary";
import { checksums } from "./families/checksums";
import { config } from "./families/config";
import { count } from "./families/count";
import { duplicates } from "./families/duplicates";
import { extract } from "./families/extract";
import { permissions } from "./families/permissions";
import { process } from "./families/process";
import { reading } from "./families/reading";
import { rename } from "./families/rename";
import { script } from "./families/script";
import { suites } from "./families/suites";
import { sums } from "./families/sums";
import type { Family, Instance, SeedFile } from "./family";

/** Version of the generator: another one may draw other environments from the same seeds. */
export const SUITE_VERSION = "1";

/** All families, in the order in which seeds go round them. */
export const FAMILIES: readonly Family[] = [
  count,
  extract,
  rename,
  archive,
  config,
  permissions,
  script,
  duplicates,
  process,
  binary,
  checksums,
  sums,
  suites,
  reading,
];

/** A generated environment: its name, what was drawn, and the files of its Harbor task directory. */
export interface Generated {
  name: string;
  family: string;
  seed: number;
  instance: Instance;
  /** The instruction in every wording it could have had. */
  wordings: readonly string[];
  files: SeedFile[];
}

export function familyOf(name: string): Family {
  const family = FAMILIES.find((one) => one.name === name);
  if (!family)
    throw new Error(`the suite has no family "${name}"; it has ${FAMILIES.map((one) => one.name).join(", ")}`);
  return family;
}

const TASK = (name: string, family: string) => `schema_version = "1.1"

[task]
name = "${name}"
keywords = ["${family}"]

[metadata]
difficulty = "easy"
category = "${family}"

[agent]
timeout_sec = 600.0

[verifier]
timeout_sec = 60.0

[environment]
build_timeout_sec = 120.0
cpus = 1
memory_mb = 512
allow_internet = false
`;

/** Hidden tests: each check in a shell of its own, reward 1 only when all hold. */
function testScript(instance: Instance): string {
  const checks = instance.checks.map((c, i) => `check_${i}() { ${c.command}; }\n`).join("");
  const calls = instance.checks.map((c, i) => `run ${i} ${JSON.stringify(c.name)}\n`).join("");
  return `#!/bin/bash
cd /app
passed=0 failed=0 entries=""
${checks}run() {
  local status=failed
  if (check_$1) > /dev/null 2>&1; then status=passed; passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "$status: $2"
  entries+="\${entries:+,}{\\"name\\":\\"$2\\",\\"status\\":\\"$status\\",\\"duration\\":0}"
}
${calls}mkdir -p /logs/verifier
printf '{"results":{"tool":{"name":"misstep"},"summary":{"tests":%d,"passed":%d,"failed":%d,"skipped":0,"pending":0,"other":0},"tests":[%s]}}\\n' $((passed + failed)) $passed $failed "$entries" > /logs/verifier/ctrf.json
if [ $failed = 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`;
}

/** What the container runs first; then whatever it was asked to run. */
const entrypoint = (start: string) => `#!/bin/bash\ncd /app\n${start}\nexec "$@"\n`;

/** Draws an environment: the same files, byte for byte, for the same family and seed. */
export function generate(familyName: string, seed: number): Generated {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`${seed} is no seed; use a whole number from 0 on`);
  const family = familyOf(familyName);
  const draw = new Draw(`misstep suite ${SUITE_VERSION}\0${family.name}\0${seed}`);
  const instance = family.draw(draw);
  const name = `tiny-${family.name}-${seed}`;
  const dockerfile = [
    "FROM misstep/base",
    "WORKDIR /app",
    "COPY seeds/ /app/",
    ...(instance.start === null
      ? []
      : ["COPY --chmod=755 entrypoint.sh /entrypoint.sh", 'ENTRYPOINT ["/entrypoint.sh"]']),
  ];
  const files: SeedFile[] = [
    { path: "task.toml", content: TASK(name, family.name) },
    { path: "instruction.md", content: `${instance.instruction}\n` },
    { path: "environment/Dockerfile", content: `${dockerfile.join("\n")}\n` },
    ...(instance.start === null
      ? []
      : [{ path: "environment/entrypoint.sh", content: entrypoint(instance.start), executable: true }]),
    ...instance.files.map((file) => ({ ...file, path: `environment/seeds/${file.path}` })),
    { path: "tests/test.sh", content: testScript(instance), executable: true },
    { path: "solution/solve.sh", content: `#!/bin/bash\ncd /app\n${instance.solution.join("\n")}\n`, executable: true },
  ];
  return { name, family: family.name, seed, instance, wordings: draw.wordings, files };
}

/** Hex SHA-256 over names, executable bits and contents. */
export function digestOfGenerated(generated: Generated): string {
  const hash = createHash("sha256");
  for (const { path, content, executable } of generated.files)
    hash
      .update(`${path}\0${executable ? "x" : "f"}\0`)
      .update(content)
      .update("\0");
  return hash.digest("hex");
}
