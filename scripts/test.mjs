// npm test: everything a change must pass, on a fresh clone too. Last line: "N passed, N failed".
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkNode, ensureBuilt, ensureInstalled, hasCompiler, root, startDebian } from "./support/bootstrap.mjs";

const bin = (name) => path.join(root, "node_modules/.bin", name);
const reports = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-test-"));
let passed = 0;
let failed = 0;

function run(command, args, env = {}) {
  return (
    spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } })
      .status ?? 1
  );
}

/** Runs a part of the test run and says how long it took. */
async function timed(name, part) {
  const began = performance.now();
  const value = await part();
  process.stdout.write(`${name}: ${Math.round((performance.now() - began) / 1000)} s\n`);
  return value;
}

function check(name, ok) {
  if (ok) passed++;
  else failed++;
  process.stdout.write(`${ok ? "ok" : "FAILED"}: ${name}\n`);
}

/** Chromium for the browser tests, or null. */
const chromiumPath = () =>
  [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (p) => p && fs.existsSync(p),
  ) ?? null;

/**
 * Debian packages that tests need and the machine lacks: Chromium for the browser tests; bubblewrap for those with real
 * sandboxes and a Slurm for those of jobs on clusters, which are skipped, and say so, where it is missing.
 */
function missingPackages() {
  const bubblewrap = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].some((p) => fs.existsSync(p));
  return [
    ...(bubblewrap ? [] : ["bubblewrap"]),
    ...(fs.existsSync("/usr/sbin/slurmctld") ? [] : ["munge slurmctld slurmd slurm-client"]),
    ...(chromiumPath() ? [] : ["chromium fonts-dejavu-core"]),
  ];
}

/** What failed, told once more at the end: the lines where it happened are far above by then. */
const failures = [];

function addReport(file, count, name, failuresOf) {
  if (!fs.existsSync(file)) {
    check(`${name} (wrote no report)`, false);
    return;
  }
  const report = JSON.parse(fs.readFileSync(file, "utf8"));
  const [ok, bad] = count(report);
  passed += ok;
  failed += bad;
  const own = bad === 0 ? [] : failuresOf(report);
  failures.push(...(bad > 0 && own.length === 0 ? [`${name}: no single test; see its output above`] : own));
}

/** First lines of a message, without colours. */
const brief = (text) =>
  (text ?? "")
    .replace(/\u001b\[[0-9;]*m/g, "")
    .split("\n")
    .slice(0, 30)
    .join("\n  ");

const unitFailures = (report) =>
  report.testResults.flatMap((file) => {
    const where = path.relative(root, file.name);
    const tests = file.assertionResults.filter((test) => test.status === "failed");
    if (tests.length === 0 && file.status === "failed") return [`${where}\n  ${brief(file.message)}`];
    return tests.map((test) => `${where} > ${test.fullName}\n  ${brief(test.failureMessages[0])}`);
  });

const browserFailures = (report) => {
  const of = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(of)];
  const wrong = report.suites.flatMap(of).filter((spec) => !spec.ok);
  return [
    ...report.errors.map((error) => brief(error.message)),
    ...wrong.map((spec) => {
      const errors = spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors));
      return `e2e/${spec.file}:${spec.line} > ${spec.title}\n  ${brief(errors[0]?.message)}`;
    }),
  ];
};

checkNode();
// Beside npm, which waits for its compiler; where that has to be installed too, one after the other.
const debian = hasCompiler() ? startDebian(missingPackages()) : null;
await timed("packages", () => ensureInstalled());
await timed("types and lint", () => {
  check(
    "type check",
    run(bin("next"), ["typegen"], { NEXT_TELEMETRY_DISABLED: "1" }) === 0 && run(bin("tsc"), ["--noEmit"]) === 0,
  );
  check("lint and format", run(bin("biome"), ["ci", "--log-level=warn", "."]) === 0);
});

await timed("Debian packages", () => debian ?? startDebian(missingPackages()));
const unit = path.join(reports, "vitest.json");
const unitStatus = await timed("unit and service tests", () =>
  run(bin("vitest"), ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unit}`]),
);
addReport(
  unit,
  (r) => [r.numPassedTests, r.numFailedTests + (unitStatus !== 0 && r.numFailedTests === 0 ? 1 : 0)],
  "unit and service tests",
  unitFailures,
);

await timed("build", () => ensureBuilt());
const chromium = chromiumPath();
if (chromium === null)
  process.stdout.write(
    "The browser tests need Chromium: apt-get install chromium (or set CHROMIUM_PATH to a Chrome).\n",
  );
if (chromium) {
  const e2e = path.join(reports, "playwright.json");
  const status = await timed("browser tests", () =>
    run(bin("playwright"), ["test", "--reporter=list,json"], {
      CHROMIUM_PATH: chromium,
      PLAYWRIGHT_JSON_OUTPUT_NAME: e2e,
    }),
  );
  addReport(
    e2e,
    ({ stats }) => [stats.expected + stats.flaky, stats.unexpected + (status !== 0 && stats.unexpected === 0 ? 1 : 0)],
    "browser tests",
    browserFailures,
  );
} else check("browser tests (no Chromium)", false);

fs.rmSync(reports, { recursive: true, force: true });
if (failures.length > 0) process.stdout.write(`\nWhat failed:\n${failures.map((f) => `- ${f}`).join("\n")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
