import fs from "node:fs";
import path from "node:path";
import { expect, type Page } from "playwright/test";

/** A folder the import page may read, filled with these files. */
export function makeFolder(name: string, files: Record<string, string>): string {
  const home = process.env.E2E_HOME;
  if (!home) throw new Error("E2E_HOME is not set: run by playwright.config.ts");
  const folder = path.join(home, "fixtures", name);
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  }
  return folder;
}

/** Imports a folder by the page: preview, start, wait for the end of the job. Leaves the browser on the job's page. */
export async function importFolder(page: Page, folder: string): Promise<void> {
  await page.goto("/import");
  await page.getByLabel("A file or folder on this machine").fill(folder);
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.waitForURL(/\/jobs\/\d+/);
  await expect(page.getByRole("region", { name: "State" }).getByText("done", { exact: true })).toBeVisible({
    timeout: 30_000,
  });
}
