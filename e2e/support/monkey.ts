import type { Browser, Locator, Page } from "playwright/test";
import { pick, seeded } from "../../scripts/bench/random";

/** What a walk came to. `lines`: what it did, one action a line; `fault`: why it ended early. */
export interface Walk {
  seed: number;
  lines: string[];
  fault: string | null;
}

/** What may be pressed. */
const CONTROLS =
  "a[href], button, input, textarea, summary, [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=switch], [role=combobox]";
/** What ends the walk's own right to be there: whoever presses it has to sign in. */
const LEFT_ALONE = /accounts on|switch .*on|sign (out|in)|people sign in/i;
const KEYS = [
  "Tab",
  "Shift+Tab",
  "Enter",
  "Escape",
  "ArrowDown",
  "ArrowUp",
  "PageDown",
  "Home",
  "j",
  "k",
  "n",
  "p",
  "/",
  "?",
  "x",
  "1",
];
const WORDS = [
  "",
  "grep",
  "'; drop",
  "<b>x</b>",
  "-1",
  "999999999999999999999",
  "0",
  "a".repeat(300),
  "ünï ☃",
  "%00",
  "../..",
];
const VIEWS = [
  { width: 1280, height: 800 },
  { width: 400, height: 800 },
];
/** Milliseconds an action may take to begin, and a control to be there still once it was chosen. */
const PATIENCE = 2_000;
/** Milliseconds after which a page that did not answer an action counts as frozen. More than an address may take to open. */
const FROZEN = 90_000;

const one = <T>(random: () => number, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

/** What a control is called, as far as a reader of the log needs it. */
async function nameOf(control: Locator): Promise<string> {
  return control.evaluate((e) =>
    `${e.tagName.toLowerCase()} ${e.getAttribute("aria-label") ?? e.textContent?.trim() ?? ""} ${e.getAttribute("href") ?? ""}`
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, 100),
  );
}

/** Presses or fills a random control that is on the screen and can be used. Returns what it did; null: there is none. */
async function use(page: Page, random: () => number, origin: string): Promise<string | null> {
  const controls = page.locator(CONTROLS);
  // Menus and dialogs cover the rest: what is drawn last is what can be pressed.
  const able = await controls.evaluateAll((all) =>
    all.flatMap((e, i) => {
      const box = e.getBoundingClientRect();
      const shown = box.width > 0 && box.height > 0 && getComputedStyle(e).visibility === "visible";
      return shown && !e.closest("[inert], [aria-hidden=true]") && !(e as HTMLButtonElement).disabled ? [i] : [];
    }),
  );
  if (able.length === 0) return null;
  const control = controls.nth(one(random, able));
  const name = await nameOf(control);
  if (LEFT_ALONE.test(name)) return `leaves ${name} alone`;
  const href = await control.evaluate((e) => (e instanceof HTMLAnchorElement ? e.href : null));
  if (href !== null && !href.startsWith(origin)) return `leaves ${name} alone`;
  const fills = await control.evaluate(
    (e) =>
      (e instanceof HTMLInputElement && !["checkbox", "radio", "file", "submit", "button"].includes(e.type)) ||
      e instanceof HTMLTextAreaElement,
  );
  if (fills) {
    const text = one(random, WORDS);
    await control.fill(text, { timeout: PATIENCE }).catch(() => undefined);
    return `fills ${name} with ${JSON.stringify(text.slice(0, 30))}`;
  }
  // Something may lie over it by now; a person would press that instead.
  const done = await control.click({ timeout: PATIENCE, noWaitAfter: true }).then(
    () => "presses",
    () => "cannot press",
  );
  return `${done} ${name}`;
}

/** Watches a page: everything that must not happen, in words. */
function watch(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`not caught in the page: ${error.message}`));
  page.on("crash", () => faults.push("the page crashed"));
  page.on("console", (message) => {
    // A reply that is no success is told of here too; those that are the server's fault are watched below.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      faults.push(`console: ${message.text().slice(0, 500)}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 500 && response.url().startsWith(origin))
      faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
  page.on("popup", (popup) => void popup.close().catch(() => undefined));
  return faults;
}

/** Ends as `action` does; throws once `ms` went by without an end, as when a page runs a loop and answers nothing. */
async function within<T>(ms: number, action: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`frozen: no answer in ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([action, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** A random walk over pages: the same seed on the same index does the same, as far as its timing lets it. */
export async function walk(
  browser: Browser,
  { origin, pages, seed, actions }: { origin: string; pages: readonly string[]; seed: number; actions: number },
): Promise<Walk> {
  const random = seeded(seed);
  const context = await browser.newContext({
    viewport: one(random, VIEWS),
    colorScheme: random() < 0.5 ? "light" : "dark",
    acceptDownloads: false,
  });
  // Without it a control that went away after it was chosen is waited for as long as the test lasts.
  context.setDefaultTimeout(PATIENCE);
  const lines: string[] = [];
  let fault: string | null = null;
  try {
    const page = await context.newPage();
    const faults = watch(page, origin);
    const open = async () => {
      const address = one(random, pages);
      lines.push(`opens ${address}`);
      await page.goto(`${origin}${address}`, { waitUntil: "domcontentloaded", timeout: 60_000 });
    };
    const act = async () => {
      const luck = random();
      if (luck < 0.05) await open();
      else if (luck < 0.09) {
        lines.push("goes back");
        await page.goBack({ waitUntil: "domcontentloaded", timeout: 60_000 });
      } else if (luck < 0.25) {
        const key = pick(random, KEYS);
        lines.push(`presses the key ${key}`);
        await page.keyboard.press(key);
      } else lines.push((await use(page, random, origin)) ?? "finds nothing to press");
    };
    await open();
    while (lines.length < actions && fault === null) {
      try {
        await within(FROZEN, act());
        await page.waitForTimeout(50 + 150 * random());
      } catch (error) {
        // The page moved on under an action; what is wrong with it is watched for below.
        const moved = /context was destroyed|navigat|detached|interrupted|ERR_ABORTED|Timeout/i;
        const gone = /has been closed|page\.goto: Timeout/;
        if (gone.test(String(error)) || !moved.test(String(error))) fault = String(error);
      }
      if (!page.url().startsWith(origin) && page.url() !== "about:blank") fault = `left for ${page.url()}`;
      const shown = await within(FROZEN, page.getByText("This page could not be shown").count()).catch(() => 0);
      if (shown > 0) faults.push(`the error page at ${page.url()}`);
      fault ??= faults[0] === undefined ? null : `${faults.join("; ")} (at ${page.url()})`;
    }
  } catch (error) {
    fault ??= String(error);
  } finally {
    await context.close();
  }
  return { seed, lines, fault };
}

/** What a walk started is not let run: the next ones would wait for it. */
export async function stopJobs(origin: string): Promise<void> {
  const listed = await fetch(`${origin}/api/v1/jobs?limit=1000`);
  const { jobs } = (await listed.json()) as { jobs: { id: number; status: string }[] };
  for (const job of jobs)
    if (job.status === "queued" || job.status === "running")
      await fetch(`${origin}/api/v1/jobs/${job.id}/cancel`, { method: "POST" });
}
