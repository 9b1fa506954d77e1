import path from "node:path";
import { openDb } from "@/db/client";
import { corpusByModel, misbehaviorOverview, unaidedByModel } from "@/db/queries/misbehaviors";
import { entryWindow, overview } from "@/db/queries/reader-entries";
import { flagsOf } from "@/db/queries/reader-flags";
import { trajectoryDetail, trajectoryHead } from "@/db/queries/reader-head";
import { countHits, searchSteps } from "@/db/queries/search";
import { listTrajectories, SORT_KEYS } from "@/db/queries/trajectories";
import { NO_FILTERS, OPEN_RANGE, type TrajectoryFilters } from "@/db/queries/trajectory-filters";
import { parseSearch, reasonQuery, stepQuery } from "@/lib/text/fts";
import { prepareIndex } from "@/scripts/support/prepareIndex";
import { generateIndex, generateTrajectory } from "./generate";
import { type Measure, summary, type Timing, time } from "./measure";

const PAGE = 50;
const WINDOW = 40;
const LONG = 10_000;

/** Filters from broad to narrow, alone and together: what the filter bar can make. */
const FILTERS: [string, Partial<TrajectoryFilters>][] = [
  ["none", {}],
  ["format", { formats: ["atif"] }],
  ["model", { models: ["model-3"] }],
  ["two models", { models: ["model-3", "model-7"] }],
  ["outcome", { outcomes: ["passed"] }],
  ["misbehavior", { misbehavior: "unneeded-checks" }],
  ["rare misbehavior", { misbehavior: "binary-as-text" }],
  ["no error step", { misbehavior: "none" }],
  ["long", { steps: { min: 38, max: null } }],
  ["longer than any", { steps: { min: 1000, max: null } }],
  ["tokens", { tokens: { min: 1_900_000, max: null } }],
  ["cheap", { cost: { min: null, max: 0.01 } }],
  ["one day", { started: { min: 1.7602e12, max: 1.760286e12 } }],
  ["text", { q: "ba" }],
  ["text nowhere", { q: "no such name" }],
  ["exception", { exception: true }],
  ["model, outcome, misbehavior", { models: ["model-5"], outcomes: ["failed"], misbehavior: "retry-same-cause" }],
  [
    "everything",
    {
      formats: ["chat"],
      models: ["model-2"],
      outcomes: ["passed"],
      misbehavior: "any",
      steps: { min: 20, max: 30 },
      cost: { min: 0.5, max: 1.5 },
    },
  ],
];

const SEARCHES = [
  "python3",
  "baco",
  "make -c",
  "command:grep",
  '"i will look at"',
  "thinking:before",
  "output:de*",
  "reason:repeats",
  "grep baco",
  "zzznothing",
];

function lists(db: ReturnType<typeof openDb>): { timing: Timing; worst: string } {
  const samples: number[] = [];
  let worst = { ms: 0, name: "" };
  for (const [name, filter] of FILTERS) {
    for (const sort of SORT_KEYS) {
      for (const direction of ["asc", "desc"] as const) {
        const filters = { ...NO_FILTERS, steps: OPEN_RANGE, ...filter };
        const page = (cursor: Parameters<typeof listTrajectories>[1]["cursor"]) => {
          const from = performance.now();
          const found = listTrajectories(db, { filters, sort, direction, limit: PAGE, cursor, before: false });
          const ms = performance.now() - from;
          samples.push(ms);
          if (ms > worst.ms) worst = { ms, name: `${name}, by ${sort} ${direction}` };
          return found.next;
        };
        const next = page(null);
        if (next) page(next);
      }
    }
  }
  return { timing: summary(samples), worst: `${worst.name}: ${worst.ms.toFixed(0)} ms` };
}

/** Query times over a generated index of `trajectories` trajectories (25 entries each on average). */
export function benchIndex(work: string, trajectories: number, say: (text: string) => void): Measure[] {
  const db = openDb(path.join(work, "index.db"));
  prepareIndex(db);
  const from = performance.now();
  generateIndex(db, { trajectories, entries: 25, environments: 2000, models: 10, seed: 3 }, (done) => {
    if (done % 20_000 === 0) say(`generated ${done} trajectories`);
  });
  const longId = generateTrajectory(db, LONG, 4);
  const steps = db.$client.prepare("select count(*) from step").pluck().get();
  say(`index of ${trajectories} trajectories, ${steps} entries in ${((performance.now() - from) / 1000).toFixed(0)} s`);

  const list = lists(db);
  const search = summary(
    SEARCHES.flatMap((q) => {
      const t: number[] = [];
      for (let i = 0; i < 10; i++) {
        const start = performance.now();
        const terms = parseSearch(q);
        const [steps, reasons] = [stepQuery(terms), reasonQuery(terms)];
        if (steps !== null) searchSteps(db, "steps", steps, null, PAGE);
        if (reasons !== null) countHits(db, "reasons", reasons);
        t.push(performance.now() - start);
      }
      return t;
    }),
  );
  const types = time(20, () => {
    misbehaviorOverview(db);
    unaidedByModel(db);
    corpusByModel(db);
  });
  const first = time(20, () => {
    trajectoryHead(db, longId);
    trajectoryDetail(db, longId);
    overview(db, longId);
    flagsOf(db, longId);
    entryWindow(db, longId, 0, WINDOW);
  });
  const window = time(200, (i) => entryWindow(db, longId, (i * 977) % (LONG - WINDOW), WINDOW));
  db.$client.close();

  const size = `${trajectories} trajectories, ${steps} entries`;
  const measure = (name: string, t: Timing, budget: number, detail: object = {}): Measure => ({
    name: `${name} (p95, ${trajectories.toLocaleString("en-US")} trajectories)`,
    value: t.p95,
    unit: "ms",
    budget: `under ${budget}`,
    met: t.p95 < budget,
    detail: { size, ...t, ...detail },
  });
  return [
    measure("list page, any filter and sort", list.timing, 100, { worst: list.worst }),
    measure("full-text search", search, 300),
    measure("/misbehaviors", types, 150),
    measure("first data of a 10,000-step rollout", first, 150),
    measure("next window of a 10,000-step rollout", window, 50),
  ];
}
