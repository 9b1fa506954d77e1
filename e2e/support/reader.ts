import { expect, type Page } from "playwright/test";

/** The reader answers keys once its scripts run. */
export const readerReady = async (page: Page) => {
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
};
