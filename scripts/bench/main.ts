import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { benchBundle } from "./bundle";
import { benchImport, benchLargeImport } from "./import";
import { benchIndex } from "./index";
import type { Measure } from "./measure";
import { benchPaint } from "./paint";
import { benchPolicy } from "./policy";
import { benchProfile } from "./profile";
import { benchRerun } from "./rerun";
import { benchReview } from "./review";
import { benchSandbox } from "./sandbox";
import { benchTrain } from "./train";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "import,large,index,bundle,rerun,sandbox,policy,profile,train,review,paint" },
    /** Of a real training that is watched, after the first. */
    steps: { type: "string", default: "4" },
    /** Of raters at work. */
    seconds: { type: "string", default: "120" },
    trajectories: { type: "string", default: "200000" },
    /** Trajectories of the large index that paints of pages are measured on; or a home folder whose copy they are. */
    paint: { type: "string", default: "20000" },
    home: { type: "string" },
    out: { type: "string", default: "docs/bench.json" },
  },
});
const only = new Set(values.only.split(","));
const root = process.env.MISSTEP_ROOT ?? process.cwd();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-bench-"));
const measures: Measure[] = [];
const say = (text: string) => process.stderr.write(`${text}\n`);

try {
  if (only.has("import")) measures.push(...(await benchImport(work, say)));
  if (only.has("large")) measures.push(...(await benchLargeImport(work, say)));
  if (only.has("index")) measures.push(...benchIndex(work, Number(values.trajectories), say));
  if (only.has("sandbox")) measures.push(...(await benchSandbox(work, say)));
  if (only.has("rerun")) measures.push(...(await benchRerun(work, say)));
  if (only.has("policy")) measures.push(...(await benchPolicy(root, say)));
  if (only.has("profile")) measures.push(...(await benchProfile(work, root, say)));
  if (only.has("train")) measures.push(...(await benchTrain(work, root, Number(values.steps), say)));
  if (only.has("review")) measures.push(...(await benchReview(work, root, Number(values.seconds), say)));
  if (only.has("paint"))
    measures.push(...(await benchPaint(work, root, { trajectories: Number(values.paint), home: values.home }, say)));
  if (only.has("bundle")) measures.push(...(await benchBundle(root, say)));
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}

for (const m of measures) {
  process.stdout.write(`${m.met ? "met   " : "MISSED"}  ${m.name}: ${m.value} ${m.unit} (budget ${m.budget})\n`);
}
const machine = {
  node: process.version,
  cpus: os.cpus().length,
  cpu: os.cpus()[0]?.model.trim() ?? "unknown",
  memoryGb: Math.round(os.totalmem() / 1e9),
};
const file = path.resolve(root, values.out);
const before = fs.existsSync(file)
  ? (JSON.parse(fs.readFileSync(file, "utf8")) as { measures: Measure[] }).measures
  : [];
const names = new Set(measures.map((m) => m.name));
// A part that was not run keeps the result of the run before.
const all = [...before.filter((m) => !names.has(m.name)), ...measures];
const measuredAt = new Date().toISOString().slice(0, 10);
fs.writeFileSync(file, `${JSON.stringify({ machine, measuredAt, measures: all }, null, 2)}\n`);
fs.writeFileSync(
  file.replace(/\.json$/, ".md"),
  [
    "# Benchmark results",
    "",
    `Written by \`npm run bench\` on ${measuredAt}: Node ${machine.node}, ${machine.cpus} cores (${machine.cpu}), ${machine.memoryGb} GB.`,
    "Queries run over a generated index; ratios compare two numbers of one run. The JSON beside this file has the details.",
    "",
    "| measure | result | budget | |",
    "|---|---|---|---|",
    ...all.map((m) => `| ${m.name} | ${m.value} ${m.unit} | ${m.budget} | ${m.met ? "met" : "**missed**"} |`),
    "",
  ].join("\n"),
);
