import { expect, test } from "playwright/test";
import { readerReady } from "./support/reader";

test("from the catalogue to a profile, and into a rejected step beside the teacher's", async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto("/environments");
  await page.getByRole("link", { name: "Tiny suite" }).click();
  await expect(page.getByRole("region", { name: "Families" }).getByRole("row")).toHaveCount(15);
  await page.getByRole("link", { name: "process", exact: true }).click();
  await expect(page.getByRole("heading", { name: "tiny-process-0" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Tempting moves" })).toContainText(
    "Kills processes without checking their identities",
  );
  await expect(async () => {
    await page.getByRole("button", { name: "Seed after" }).click();
    await expect(page).toHaveURL(/seed=[1-9]/, { timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("heading", { name: /tiny-process-[1-9]/ })).toBeVisible();

  await page.getByRole("link", { name: "Start a profile" }).click();
  await page.waitForURL(/\/profiles$/);
  await expect(async () => {
    await page.getByRole("combobox", { name: "Policy" }).click();
    await page.getByRole("option", { name: "demonstrator" }).click({ timeout: 1000 });
  }).toPass();
  await page.getByLabel("Environments", { exact: true }).fill("4");
  await page.getByLabel("Rollouts each").fill("1");
  await page.getByRole("button", { name: "Start a profile" }).click();
  await page.waitForURL(/\/profiles\/\d+$/);
  await expect(page.getByRole("region", { name: "Job" }).getByText("done", { exact: true })).toBeVisible({
    timeout: 120_000,
  });
  const summary = page.getByRole("list", { name: "Summary" });
  await expect(summary).toContainText("of 4 planned");

  await summary.getByRole("link", { name: /^Error steps/ }).click();
  await expect(page.getByText(/rollouts of profile \d+/)).toBeVisible();
  await page
    .getByRole("region", { name: "Trajectories" })
    .getByRole("link", { name: /^tiny-/ })
    .first()
    .click();
  await page.waitForURL(/\/trajectories\/\d+/);
  await readerReady(page);
  await page.keyboard.press("n");
  const rejected = page.getByRole("article", { name: /^Step \d+, rejected$/ }).first();
  await expect(rejected).toContainText("rejected: it did not run");
  const pair = rejected.getByRole("region", { name: "Rejected step and its correction" });
  await expect(pair).toContainText("The teacher wrote, ran in its place");
  await expect(pair.locator("ins, del, pre").first()).toBeVisible();
  await pair.getByRole("button", { name: /try|tries/ }).click();
  await expect(pair.getByText("Try 1")).toBeVisible();

  await page.getByRole("button", { name: "What ran" }).click();
  await expect(page).toHaveURL(/walk=accepted/);
  await expect(page.getByText(/^Step \d+ was rejected and did not run/).first()).toBeVisible();
  await page.keyboard.press("w");
  await expect(page).toHaveURL(/walk=proposed/);
  await expect(page.getByRole("article", { name: /, rejected$/ }).first()).toBeVisible();
  await expect(page.getByText(/^A teacher’s correction ran here/).first()).toBeAttached();
});
