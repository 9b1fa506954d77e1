import fs from "node:fs";
import { expect, type Page, test } from "playwright/test";
import { readerReady } from "./support/reader";
import { type Seeded, seeded } from "./support/seeded";

let ids: Seeded;
test.beforeAll(() => {
  ids = seeded();
});

test("a researcher goes from a model's rate to its trajectories and compares two of them", async ({ page }) => {
  await page.goto("/misbehaviors");
  const row = page.getByRole("region", { name: "Error steps by model" }).getByRole("row", { name: /^hasty / });
  const cell = row.getByRole("link").nth(2);
  const trajectories = /in (\d+) trajector/.exec((await cell.getAttribute("title")) ?? "")?.[1];
  await cell.click();
  await expect(page).toHaveURL(/misbehavior=any/);
  await expect(page.getByRole("navigation", { name: "Pages" })).toContainText(`${trajectories} of ${trajectories}`);
  const boxes = page.getByRole("checkbox", { name: /^Select trajectory/ });
  expect(await boxes.count()).toBe(Number(trajectories));
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Compare" })).toBeVisible();
  await expect(page.getByText(/They part at|they part at|do the same/)).toBeVisible();
});

/** Tabs until the wanted element has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
    });
    if (name.test(focused)) return;
  }
  throw new Error(`${name} is not reached by Tab`);
}

test("a trajectory is found, read, searched and downloaded without a mouse", async ({ page }) => {
  await page.goto("/trajectories?task=count-errors");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await tabTo(page, /^count-errors__try1$/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/trajectories/${ids.ordinary[0]}`));
  await readerReady(page);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/step=4/);

  await tabTo(page, /^Find$/);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Find in this trajectory")).toBeFocused();
  await page.keyboard.type("colorama");
  await expect(page.getByText(/^1 of \d/)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Find in this trajectory")).toBeHidden();
  await expect(page.getByRole("button", { name: "Find", exact: true })).toBeFocused();

  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Shift+Tab");
    if (await page.getByRole("button", { name: "Download" }).evaluate((e) => e === document.activeElement)) break;
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "ATIF 1.7" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Download" })).toBeFocused();
});

test("a download holds every step, also those that are not on the screen", async ({ page }) => {
  await page.goto(`/trajectories/${ids.long}`);
  await readerReady(page);
  await page.getByRole("button", { name: "Download" }).click();
  const waiting = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /^JSON/ }).click();
  const file = await (await waiting).path();
  const { steps } = JSON.parse(fs.readFileSync(file, "utf8")) as { steps: { kind: string }[] };
  expect(steps.filter((s) => s.kind === "agent")).toHaveLength(10_000);
});
