import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { openDb } from "@/db/client";
import { migrateDb } from "@/db/migrate";
import { NO_FILTERS } from "@/db/queries/trajectory-filters";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { RULES_VERSION } from "@/lib/profile/rules";
import { createQueue } from "@/lib/review/queue/create";
import { generateIndex } from "./generate";
import { type Measure, summary } from "./measure";
import { seeded } from "./random";

const PORT = 4748;
const RATERS = 20;
const ITEMS = 2000;
/** Answers wanted an item: what all raters can give in the time at their pace fits into it. */
const PER_ITEM = 3;
/** Milliseconds between seeing an item and answering it, from 100 up to this more: faster than people read. */
const THINK = 800;
/** Share of answers that are sent twice at once (a double click), and whose reply is thrown away and asked for again. */
const TWICE = 0.05;
const LOST_REPLY = 0.02;

interface Given {
  itemId: number;
  personId: number;
  key: string;
}
interface NextBody {
  next: { state: string; item?: { itemId: number } };
}

/** An index with a queue of 2,000 items, a few gold among them, and its raters. */
function makeIndex(root: string, home: string): { file: string; queueId: number; people: number[] } {
  const file = path.join(home, "misstep.db");
  const db = openDb(file);
  try {
    migrateDb(db, path.join(root, "db/migrations"));
    seedBuiltinTypes(db);
    generateIndex(db, { trajectories: 2000, entries: 40, environments: 50, models: 3, seed: 7 }, () => undefined);
    // Scanned already: a server that starts a scan of everything is another benchmark.
    db.$client.prepare("update trajectory set rules_version = ?").run(RULES_VERSION);
    const person = db.$client.prepare("insert into person (name, role) values (?, ?)");
    const lead = Number(person.run("lead", "admin").lastInsertRowid);
    const people = Array.from({ length: RATERS }, (_, i) =>
      Number(person.run(`rater ${i + 1}`, "annotator").lastInsertRowid),
    );
    const { queueId, items } = createQueue(
      db,
      { personId: lead, name: "lead", role: "admin" },
      { kind: "trajectories", filters: NO_FILTERS, steps: "flagged" },
      { name: "bench", question: "wrong", raters: PER_ITEM, draw: { strategy: "random", n: ITEMS, seed: 1 } },
    );
    if (items !== ITEMS) throw new Error(`the queue has ${items} items instead of ${ITEMS}`);
    return { file, queueId, people };
  } finally {
    db.$client.close();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One rater until the time is up: takes an item, thinks, answers, gets the next one with the answer. */
async function rate(
  url: string,
  personId: number,
  until: number,
  given: Given[],
  waits: number[],
): Promise<{ again: number; failures: string[] }> {
  const random = seeded(personId);
  const mine = new Set<number>();
  const failures: string[] = [];
  let again = 0;
  const call = async (name: string, body: object): Promise<NextBody> => {
    const response = await fetch(`${url}/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: `misstep-person=${personId}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
    return (await response.json()) as NextBody;
  };
  let reply = await call("next", { inHand: [] });
  while (performance.now() < until) {
    const itemId = reply.next.item?.itemId;
    if (itemId === undefined) {
      await pause(50);
      reply = await call("next", { inHand: [] });
      continue;
    }
    if (mine.has(itemId)) again++;
    mine.add(itemId);
    await pause(100 + random() * THINK);
    const key = randomUUID();
    const verdict = random() < 0.6 ? "wrong" : "right";
    const body = { itemId, key, answer: { verdict, reason: `because ${key}` }, durationMs: 400, inHand: [itemId] };
    given.push({ itemId, personId, key });
    const luck = random();
    const from = performance.now();
    try {
      if (luck < TWICE) [reply] = await Promise.all([call("answer", body), call("answer", body)]);
      else reply = await call("answer", body);
      waits.push(performance.now() - from);
      if (luck > 1 - LOST_REPLY) reply = await call("answer", body);
    } catch (error) {
      failures.push(String(error));
      reply = await call("next", { inHand: [] });
    }
  }
  return { again, failures };
}

/** What the index says after it: every answer once, none beyond the places. */
function check(
  file: string,
  queueId: number,
  given: readonly Given[],
): { lost: number; doubled: number; over: number } {
  const db = openDb(file, { readonly: true });
  try {
    const s = db.$client;
    const found = s
      .prepare("select count(*) from review_answer where client_key = ? and item_id = ? and person_id = ?")
      .pluck();
    let lost = 0;
    for (const { key, itemId, personId } of given) if (found.get(key, itemId, personId) !== 1) lost++;
    const doubled = s
      .prepare(
        `select count(*) from (select 1 from review_answer a join review_item i on i.id = a.item_id where i.queue_id = ?
         group by a.item_id, a.person_id having count(*) > 1)`,
      )
      .pluck()
      .get(queueId) as number;
    const over = s
      .prepare("select count(*) from review_item where queue_id = ? and answers > ?")
      .pluck()
      .get(queueId, PER_ITEM) as number;
    return { lost, doubled, over };
  } finally {
    db.$client.close();
  }
}

/** 20 raters at once over HTTP against one queue of a real server. */
export async function benchReview(
  work: string,
  root: string,
  seconds: number,
  say: (text: string) => void,
): Promise<Measure[]> {
  const home = path.join(work, "review");
  fs.mkdirSync(home, { recursive: true });
  const { file, queueId, people } = makeIndex(root, home);
  const server = spawn(process.execPath, [path.join(root, "scripts/start.mjs"), "--port", String(PORT)], {
    cwd: root,
    env: { ...process.env, MISSTEP_HOME: home, NODE_ENV: "production" },
    stdio: "ignore",
  });
  try {
    const base = `http://127.0.0.1:${PORT}`;
    for (let tries = 0; ; tries++) {
      if ((await fetch(`${base}/api/health`).catch(() => null))?.ok) break;
      if (tries > 300) throw new Error("the server did not start");
      await pause(200);
    }
    // What a start sets going has ended before the raters come.
    for (let tries = 0; tries < 600; tries++) {
      const jobs = (await (await fetch(`${base}/api/jobs`)).json()) as { finishedAt: number | null }[];
      if (jobs.every((job) => job.finishedAt !== null)) break;
      await pause(200);
    }
    const url = `${base}/api/review/${queueId}`;
    const given: Given[] = [];
    const waits: number[] = [];
    const until = performance.now() + seconds * 1000;
    const ends = await Promise.all(people.map((personId) => rate(url, personId, until, given, waits)));
    const again = ends.reduce((n, e) => n + e.again, 0);
    const failures = ends.flatMap((e) => e.failures);
    const { lost, doubled, over } = check(file, queueId, given);
    const timing = summary(waits);
    say(
      `${RATERS} raters, ${ITEMS} items, ${seconds} s: ${given.length} answers, submit to next p50 ${timing.p50} ms, p95 ${timing.p95} ms, max ${timing.max} ms`,
    );
    say(
      `given twice to one rater: ${again}, doubled: ${doubled}, lost: ${lost}, over the places: ${over}, failed calls: ${failures.length}`,
    );
    for (const failure of failures.slice(0, 3)) say(failure);
    const none = (name: string, value: number): Measure => ({
      name: `review, ${name}`,
      value,
      unit: `of ${given.length}`,
      budget: "0",
      met: value === 0,
    });
    return [
      {
        name: `review, ${RATERS} raters on ${ITEMS} items for ${seconds} s: submit to next, p95`,
        value: timing.p95,
        unit: "ms",
        budget: "under 150",
        met: timing.p95 < 150,
        detail: { ...timing, answers: given.length, perSecond: Math.round(given.length / seconds) },
      },
      none("items given twice to one rater", again + doubled),
      none("answers lost", lost),
      none("answers beyond an item's places", over),
      none("calls that failed", failures.length),
    ];
  } finally {
    const gone = server.exitCode !== null || new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await gone;
  }
}
