import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, type Page, test } from "playwright/test";

interface Seeded {
  ordinary: number[];
  long: number;
  hostile: number;
  empty: number;
  big: number;
}
let ids: Seeded;

// A failed test starts the file anew in another process: what was seeded is remembered beside the database.
test.beforeAll(() => {
  const home = process.env.E2E_HOME ?? "";
  const memory = path.join(home, "reading-seed.json");
  if (!fs.existsSync(memory)) {
    const args = ["--conditions=react-server", "--import", "tsx", "e2e/support/seed.ts"];
    const env = { ...process.env, MISSTEP_HOME: home, NODE_OPTIONS: "" };
    fs.writeFileSync(memory, execFileSync(process.execPath, args, { env, encoding: "utf8" }));
  }
  ids = JSON.parse(fs.readFileSync(memory, "utf8")) as Seeded;
});

const step = (page: Page, number: number) => page.getByRole("article", { name: `Step ${number}`, exact: true });
/** The reader answers keys once its scripts run. */
const ready = async (page: Page) => {
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
};

test("a link to a step far down a long rollout lands on it, and the address follows the reading", async ({ page }) => {
  await page.goto(`/trajectories/${ids.long}?step=7000`);
  await expect(step(page, 7000)).toBeInViewport();
  await ready(page);
  const top = await step(page, 7000).evaluate((e) => e.getBoundingClientRect().top);
  expect(top).toBeLessThan(300);
  await page.keyboard.press("j");
  await expect(step(page, 7001)).toBeInViewport();
  await expect(page).toHaveURL(/step=7001/);
  await page.keyboard.press("k");
  await expect(page).toHaveURL(/step=7000/);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/step=9990/);
  await expect(step(page, 9990).getByText("Step 9990 lists a folder again.")).toBeInViewport();
  await page.keyboard.type("4321g");
  await expect(page).toHaveURL(/step=4321/);
  await page.keyboard.press("G");
  await expect(step(page, 10000)).toBeInViewport();
  await page.goBack();
  await expect(page).not.toHaveURL(/trajectories\/\d+\?step/);
});

test("find sees entries that are not loaded, counts them and goes through them", async ({ page }) => {
  await page.goto(`/trajectories/${ids.long}`);
  await ready(page);
  await page.keyboard.press("Control+f");
  await page.getByLabel("Find in this trajectory").fill("end 8");
  await expect(page.getByText("1 of 22")).toBeVisible();
  await expect(page.locator('[data-hit="active"]')).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 of 22")).toBeVisible();
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Shift+Enter");
  await expect(page.getByText("22 of 22")).toBeVisible();
  await expect(page.locator('[data-hit="active"]')).toHaveText("end 8");
  await expect(page.locator('[data-hit="active"]')).toBeInViewport();
});

test("a flagged step names its misbehavior and leads to the evidence", async ({ page }) => {
  await page.goto(`/trajectories/${ids.ordinary[0]}?step=4`);
  await ready(page);
  await expect(step(page, 4).getByText(/The same command failed one step before/)).toBeVisible();
  await step(page, 4)
    .getByRole("button", { name: /output of step 3/ })
    .click();
  await expect(page.locator("mark[data-evidence]")).toHaveText("NameError: name 'sys' is not defined");
  await expect(page.locator("mark[data-evidence]")).toBeInViewport();
});

test("a megabyte of output is folded with what is left out, and opens without freezing", async ({ page }) => {
  await page.goto(`/trajectories/${ids.big}`);
  const gap = step(page, 1).getByRole("button", { name: /lines \/ .* characters left out: show/ });
  await expect(gap).toContainText(/19,9\d\d lines/);
  await ready(page);
  await gap.click();
  await expect(step(page, 1).getByRole("button", { name: "Fold again" })).toBeAttached();
  const start = Date.now();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(Date.now() - start).toBeLessThan(1500);
  expect(await page.locator("span").count()).toBeLessThan(8000);
});

test("raw JSON of a step, its terminal view and its raw view", async ({ page }) => {
  await page.goto(`/trajectories/${ids.ordinary[0]}?step=5`);
  await expect(step(page, 5).locator("pre").last()).toHaveText(/^Downloading 100%\nInstalled colorama/);
  await step(page, 5).getByRole("button", { name: "raw", exact: true }).click();
  await expect(step(page, 5).getByLabel(/carriage return/)).toHaveCount(2);
  await step(page, 5).getByRole("button", { name: "Raw JSON" }).click();
  await expect(page.getByRole("dialog")).toContainText('"role": "assistant"');
});

test("hostile text runs nothing, fetches nothing, and is there to read", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  for (const path of ["", "?tab=tests", "?tab=metadata"]) {
    await page.goto(`/trajectories/${ids.hostile}${path}`);
    await expect(page.getByText("<script>window.pwned=1</script>").first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => "pwned" in window)).toBe(false);
    expect(await page.locator('img[src="x"], a[href^="javascript:"], a[href^="http"]').count()).toBe(0);
  }
  await page.goto(`/trajectories?q=${encodeURIComponent("<script>")}`);
  await expect(page.getByRole("row").nth(1)).toContainText("<script>window.pwned=1</script>");
  await page.goto("/search?q=pwned");
  await expect(page.getByText(/window\.pwned=1/).first()).toBeVisible();
  expect(await page.evaluate(() => "pwned" in window)).toBe(false);
  const own = new URL(page.url()).host;
  expect(requests.filter((url) => !url.startsWith("data:") && new URL(url).host !== own)).toEqual([]);
  expect(errors).toEqual([]);
});

test("a trajectory without steps says so", async ({ page }) => {
  await page.goto(`/trajectories/${ids.empty}`);
  await expect(page.getByText("This trajectory has no steps")).toBeVisible();
  await expect(page.getByText("EnvironmentStartError: The container did not start.")).toBeVisible();
});

test("the list filters, sorts and pages by its address, and two selected rows can be compared", async ({ page }) => {
  await page.goto("/trajectories?task=count-errors");
  const rows = page.getByRole("row");
  await expect(rows).toHaveCount(5);
  await page.getByRole("button", { name: "Steps", exact: true }).click();
  await expect(page).toHaveURL(/sort=steps/);
  await expect(rows.nth(4)).toContainText("nothing-happened");
  await page
    .getByRole("button", { name: /^Outcome/ })
    .first()
    .click();
  await page.getByLabel("failed").click();
  await page.keyboard.press("Escape");
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.goto("/trajectories?task=count-errors");
  for (const id of ids.ordinary.slice(0, 2)) await page.getByLabel(`Select trajectory ${id}`).click();
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByText(/they part at step 10/)).toBeVisible();
});

test("a hit of the search lands on its step with the word marked", async ({ page }) => {
  await page.goto("/search?q=command:colorama");
  await page.getByRole("link", { name: /count-errors__try1, step 5/ }).click();
  await expect(step(page, 5)).toBeInViewport();
  await expect(page.locator('[data-hit="active"]')).toHaveText("colorama");
});
