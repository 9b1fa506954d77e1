import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright";
import { openDb } from "@/db/client";
import { addresses } from "@/e2e/support/pages";
import { RULES_VERSION } from "@/lib/profile/rules";
import { chromiumOptions, copyHome, serve } from "@/scripts/support/browse";
import { prepareIndex } from "@/scripts/support/prepareIndex";
import { generateIndex } from "./generate";
import { type Measure, percentile } from "./measure";

const PORT = 4750;
const BUDGET_MS = 1500;
/** Visits of a page that count; one before them warms it. */
const VISITS = 3;

declare global {
  interface Window {
    largest?: { ms: number; what: string };
  }
}

/** Notes the largest paint of a page as the browser tells of it. Runs in the page before its own scripts. */
function observe(): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { element } = entry as PerformanceEntry & { element?: Element };
      window.largest = { ms: entry.startTime, what: element?.tagName.toLowerCase() ?? "" };
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
}

/** An index of `trajectories` made-up ones. */
function makeIndex(home: string, trajectories: number): void {
  const db = openDb(path.join(home, "misstep.db"));
  try {
    prepareIndex(db);
    generateIndex(db, { trajectories, entries: 25, environments: 500, models: 10, seed: 3 }, () => undefined);
    // Scanned already: a server that starts a scan of everything is another benchmark.
    db.$client.prepare("update trajectory set rules_version = ?").run(RULES_VERSION);
  } finally {
    db.$client.close();
  }
}

/** Largest paints of every page of a built server on a home folder; each in a browser that has cached nothing. */
async function paints(root: string, home: string, say: (text: string) => void) {
  const { origin, stop } = await serve(root, home, PORT);
  const browser = await chromium.launch(chromiumOptions());
  try {
    const found: { address: string; ms: number; what: string }[] = [];
    for (const address of addresses(root, path.join(home, "misstep.db")).all) {
      const visits: { ms: number; what: string }[] = [];
      for (let visit = 0; visit <= VISITS; visit++) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
        const page = await context.newPage();
        await page.addInitScript(observe);
        await page.goto(`${origin}${address}`, { waitUntil: "load", timeout: 60_000 });
        await page.waitForTimeout(700);
        const largest = await page.evaluate(() => window.largest ?? null);
        if (visit > 0 && largest !== null) visits.push(largest);
        await context.close();
      }
      if (visits.length === 0) throw new Error(`${address} painted nothing`);
      const times = visits.map((v) => v.ms);
      found.push({ address, ms: Math.round(percentile(times, 50)), what: visits[0]?.what ?? "" });
    }
    found.sort((a, b) => b.ms - a.ms);
    for (const { address, ms, what } of found.slice(0, 8)) say(`${address}: ${ms} ms (${what})`);
    return found;
  } finally {
    await browser.close();
    await stop();
  }
}

/**
 * Largest paint of every page, on the shipped study and on a large index. `home`: only on a copy of this home folder.
 */
export async function benchPaint(
  work: string,
  root: string,
  { trajectories, home }: { trajectories: number; home?: string | undefined },
  say: (text: string) => void,
): Promise<Measure[]> {
  const measures: Measure[] = [];
  const measure = async (what: string, fill: (folder: string) => void) => {
    const folder = path.join(work, `paint-${measures.length}`);
    fs.mkdirSync(folder, { recursive: true });
    fill(folder);
    const found = await paints(root, folder, say);
    const [slowest] = found;
    measures.push({
      name: `largest paint, slowest page of ${what}`,
      value: slowest?.ms ?? Number.NaN,
      unit: "ms",
      budget: `under ${BUDGET_MS}`,
      met: found.every(({ ms }) => ms < BUDGET_MS),
      detail: { visits: VISITS, pages: found },
    });
  };
  if (home !== undefined) await measure("a home folder", (folder) => copyHome(home, folder));
  else {
    // A start fills an empty home with the study.
    await measure("the shipped study", () => undefined);
    const size = trajectories.toLocaleString("en-US");
    await measure(`${size} trajectories`, (folder) => makeIndex(folder, trajectories));
  }
  return measures;
}
