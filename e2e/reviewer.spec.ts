import { expect, test } from "playwright/test";
import { readerReady } from "./support/reader";
import { RECORDED, recordOnce } from "./support/recorded";

test.setTimeout(120_000);
test.beforeAll(() => {
  test.skip(!recordOnce(), "no sandbox driver can be used on this machine");
});

test("a reviewer opens a misbehavior, reruns the prefix of an error step and sees the first difference", async ({
  page,
}) => {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(String(error)));
  await page.goto("/misbehaviors");
  // A click while the page comes alive can be lost.
  await expect(async () => {
    await page.getByRole("link", { name: "Retries without fixing the cause" }).first().click({ timeout: 2000 });
    await expect(page).toHaveURL(/\/misbehaviors\/retry-same-cause/, { timeout: 5000 });
  }).toPass();
  const example = page
    .getByRole("region", { name: "Error steps" })
    .getByRole("listitem")
    .filter({ hasText: "count-badges" })
    .first();
  await example.getByRole("link", { name: `step ${RECORDED.flagged}` }).click();
  await readerReady(page);
  const step = page.getByRole("article", { name: `Step ${RECORDED.flagged}`, exact: true });
  await step.getByRole("button", { name: "Rerun to here" }).click();

  await expect(page).toHaveURL(/\/prefixes\/\d+/, { timeout: 30_000 });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Prefix \d+$/);
  const check = page.getByRole("region", { name: "Rerun check" });
  await expect(check.getByText("different", { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(check).toContainText("Cause: time.");
  await expect(page.getByRole("region", { name: "Reruns" }).getByRole("row")).toHaveCount(3);

  // The first difference stands at the command that shows the clock; what came before is equal.
  const commands = page.getByRole("region", { name: "Recorded against rerun, command by command" });
  await expect(commands.locator("p", { hasText: /^\s*equal\s*in/ })).toHaveCount(RECORDED.differing - 1);
  await expect(commands.getByText("first difference")).toHaveCount(1);
  const place = commands.getByRole("listitem").filter({ hasText: "first difference" });
  await expect(place.getByRole("article", { name: `Step ${RECORDED.differing}`, exact: true })).toBeVisible();
  await expect(place.locator("del").first()).toHaveText(/\d/);
  await expect(place.locator("ins").first()).toHaveText(/\d/);
  await expect(commands.getByText("not run: the rerun had stopped before")).toHaveCount(1);

  // Through to the end: the other rules are known as well.
  await page.getByRole("checkbox", { name: "through to the end" }).click();
  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  await expect(page.getByRole("region", { name: "Reruns" }).getByRole("row")).toHaveCount(5, { timeout: 60_000 });
  await expect(check).toContainText("Exit codes alonekept");
  expect(broken).toEqual([]);
});

test("the list counts what each rule keeps, and its numbers lead to their rows", async ({ page }) => {
  await page.goto("/prefixes");
  await page.getByRole("button", { name: "Sample prefixes" }).click();
  await page.getByLabel("Prefixes a misbehavior").fill("2");
  await page.getByRole("button", { name: "Draw" }).click();
  await page.getByRole("link", { name: /^Draw \d+:/ }).click();
  await expect(page).toHaveURL(/draw=\d+/, { timeout: 30_000 });
  const rules = page.getByRole("region", { name: "Kept under each rule" }).last();
  await expect(rules.getByRole("row").nth(1)).toBeVisible();
  await page.goto("/prefixes?status=different");
  const table = page.getByRole("region", { name: "Prefixes", exact: true });
  await expect(table.getByRole("row")).toHaveCount(2);
  await table.getByRole("link", { name: /^Prefix \d+$/ }).click();
  await expect(page.getByRole("region", { name: "Rerun check" })).toContainText("The state is not reached again");
});
