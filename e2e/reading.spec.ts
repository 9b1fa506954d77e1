import { expect, type Page, test } from "playwright/test";
import { readerReady as ready } from "./support/reader";
import { type Seeded, seeded } from "./support/seeded";

let ids: Seeded;
test.beforeAll(() => {
  ids = seeded();
});

const step = (page: Page, number: number) => page.getByRole("article", { name: `Step ${number}`, exact: true });
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
  const raw = step(page, 5).getByRole("button", { name: "raw", exact: true });
  // The page is there before its scripts are: a press that came too early is repeated. Pressed, the button is named otherwise.
  await expect(async () => {
    if ((await raw.count()) > 0) await raw.click();
    await expect(step(page, 5).getByLabel(/carriage return/)).toHaveCount(2, { timeout: 700 });
  }).toPass();
  await step(page, 5).getByRole("button", { name: "Raw JSON" }).click();
  await expect(page.getByRole("dialog")).toContainText('"role": "assistant"');
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
