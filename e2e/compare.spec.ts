import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "playwright/test";

/** A measurement of a base and two trainings under the judges "strict" and "lenient". */
function measured(): number {
  const args = ["--conditions=react-server", "--import", "tsx", "e2e/support/seedMeasurement.ts"];
  const env = { ...process.env, MISSTEP_HOME: process.env.E2E_HOME, NODE_OPTIONS: "" };
  return Number(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
}

test("base and two checkpoints under two judges, and the bundle from disk", async ({ page }, info) => {
  measured();
  await page.goto("/compare");
  await page.getByRole("link", { name: "base and two trainings, two judges" }).click();
  await expect(page.getByRole("heading", { name: "Misbehavior rates", exact: true })).toBeVisible();
  const marks = page.locator("a[data-mark]");
  await expect(marks).toHaveCount(12);

  // A mark says what it is of, to a pointer as to a keyboard.
  await expect(async () => {
    await page
      .getByRole("link", { name: /m-first: .*Judge said yes to 6 of 24 samples/ })
      .first()
      .focus();
    await expect(page.getByRole("tooltip")).toContainText("6 of 24 samples", { timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("tooltip")).toContainText("over 6 prefixes, seed 1");
  await expect(
    page.getByText(/^That m-first has less of .* holds only under strict; under lenient/).first(),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: "Differences" }).getByRole("row")).toHaveCount(9);

  // Narrowed by address: one judge is half of the marks, and the other method stays in the link.
  await page.goto(`${page.url()}&judge=strict&interval=percentile`);
  await expect(marks).toHaveCount(6);
  await expect(page.getByText("percentile bootstrap over prefixes", { exact: false }).first()).toBeVisible();
  await page.getByRole("button", { name: "Table" }).click();
  await expect(page.getByRole("region", { name: "Misbehavior rates" }).getByRole("row")).toHaveCount(7);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Bundle" }).click();
  const file = info.outputPath("bundle.html");
  await (await download).saveAs(file);

  // 12 of 24 samples of m-first are called by the lenient judge alone: the cell leads to them.
  const agreement = page.getByRole("region", { name: "Agreement of judges" });
  await agreement.getByRole("row").filter({ hasText: "m-first" }).first().getByRole("link", { name: "12" }).click();
  await page.waitForURL(/\/trajectories\?/);
  await expect(page.getByText("strict said no")).toBeVisible();
  await expect(page.getByRole("link", { name: /^sample 2-1-/ })).toHaveCount(12);

  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`file://${path.resolve(file)}`);
  await expect(page.getByRole("heading", { name: "base and two trainings, two judges" })).toBeVisible();
  await expect(page.locator("svg")).toHaveCount(2);
  await expect(page.getByRole("table", { name: "Differences" }).getByRole("row")).toHaveCount(9);
  await expect(page.getByText("SHA-256")).toBeVisible();
  expect(asked.filter((url) => !url.startsWith("file:"))).toEqual([]);
});
