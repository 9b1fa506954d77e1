import { expect, type Locator, type Page } from "playwright/test";

const PATIENCE = 30_000;

/** Opens the dialog behind a button; the button works once the page is alive. An open dialog hides the button. */
export async function openDialog(page: Page, button: string, title: string): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name: title });
  await expect(async () => {
    if (!(await page.getByRole("dialog").isVisible()))
      await page.getByRole("button", { name: button, exact: true }).click({ timeout: 1000 });
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: PATIENCE });
  return dialog;
}

/** Chooses an option of a list; it opens once the page is alive. */
export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  const found = page.getByRole("option", { name: option, exact: true });
  await expect(async () => {
    if (!(await found.isVisible()))
      await page.getByRole("combobox", { name: label, exact: true }).click({ timeout: 1000 });
    await found.click({ timeout: 1000 });
  }).toPass({ timeout: PATIENCE });
}
