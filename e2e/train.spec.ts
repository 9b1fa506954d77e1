import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "playwright/test";

const run = promisify(execFile);
/** The command line in the home of the running server: its worker does the work. */
const misstep = async (...args: string[]) =>
  (
    await run(process.execPath, ["scripts/misstep.mjs", ...args], {
      env: { ...process.env, NODE_OPTIONS: "", MISSTEP_HOME: process.env.E2E_HOME },
    })
  ).stdout;

test("from misbehaviors through five steps of training into a lucky pass", async ({ page }) => {
  test.setTimeout(420_000);
  await misstep("profile", "--policy", "demonstrator", "--suite", "tiny", "--environments", "7", "--rollouts", "1");
  const { draw } = JSON.parse(await misstep("prefix", "sample", "--per", "6", "--seed", "1", "--json")) as {
    draw: number;
  };
  await misstep("rerun", "--draw", String(draw), "--repeats", "1").catch((error: { stdout?: string }) => {
    // Exit code 1: some are not kept. That is an answer.
    expect(error.stdout).toMatch(/kept/);
  });

  await page.goto("/misbehaviors");
  await page.getByLabel("Choose Claims success without verification").check();
  await page.getByLabel("Choose Fails to produce runnable commands").check();
  await page.getByRole("button", { name: "Train away" }).click();
  await page.waitForURL(/\/train\?misbehavior=/);
  await expect(page.getByText("(2 chosen)")).toBeVisible();
  await expect(async () => {
    await page.getByLabel("Steps", { exact: true }).fill("5");
    await page.getByRole("button", { name: "Dry run" }).click();
    await expect(page.getByRole("status")).toContainText("kept prefix", { timeout: 5000 });
  }).toPass();
  await page.getByLabel("Groups a step").fill("2");
  await page.getByLabel("Rollouts a group").fill("4");
  await page.getByRole("button", { name: "Train", exact: true }).click();
  await page.waitForURL(/\/train\/\d+$/);
  await expect(page.getByRole("region", { name: "Job" }).getByText("done", { exact: true })).toBeVisible({
    timeout: 300_000,
  });
  await expect(page.getByRole("heading", { name: "Groups of step 5" })).toBeVisible();
  await page.getByRole("link", { name: "Step before" }).click();
  await expect(page).toHaveURL(/step=4/);
  await expect(
    page
      .getByRole("region", { name: /^Rollouts of group/ })
      .first()
      .getByRole("row"),
  ).toHaveCount(5);
  await expect(page.getByRole("columnheader", { name: "Lucky pass" })).toBeVisible();

  await page.getByRole("link", { name: "Read the lucky passes" }).click();
  await expect(page.getByText("solved, but the misbehavior came back")).toBeVisible();
  await page
    .getByRole("region", { name: "Trajectories" })
    .getByRole("link", { name: /^tiny-/ })
    .first()
    .click();
  await page.waitForURL(/\/trajectories\/\d+/);
  await expect(page.getByText("passed").first()).toBeVisible();
});
