import { expect, test } from "playwright/test";
import { readerReady } from "./support/reader";
import { RECORDED, recordOnce } from "./support/recorded";

test.setTimeout(120_000);
test.beforeAll(() => {
  recordOnce();
});

test("a reviewer opens a terminal in a kept prefix, runs the recorded command and finds it as a branch", async ({
  page,
}) => {
  await page.goto("/trajectories?q=reviewed");
  await page.getByRole("link", { name: "reviewed", exact: true }).first().click();
  await readerReady(page);
  const before = RECORDED.differing - 1;
  await page
    .getByRole("article", { name: `Step ${before}`, exact: true })
    .getByRole("button", { name: "Rerun to here" })
    .click();
  await expect(page).toHaveURL(/\/prefixes\/\d+/, { timeout: 30_000 });
  const open = page.getByRole("button", { name: "Open a terminal here" });
  await expect(open).toBeEnabled({ timeout: 60_000 });
  await open.click();

  await expect(page).toHaveURL(/\/fork\//, { timeout: 30_000 });
  await expect(page.getByRole("status").filter({ hasText: "open" })).toBeVisible({ timeout: 60_000 });
  const recorded = page.getByRole("region", { name: `Recorded as step ${before}` });
  const command = RECORDED.commands[before - 1] ?? "";
  await expect(recorded).toContainText(command);
  await recorded.getByRole("button", { name: "Put it on the prompt" }).click();
  const screen = page.locator(".xterm-accessibility");
  await expect(screen).toContainText(command);
  await page.keyboard.press("Enter");
  await page.keyboard.type("echo typed-$((40 + 2))\n");
  await expect(screen).toContainText("typed-42");

  // Shown again, a query in the output is not answered again: the answer would be typed into the shell.
  await page.keyboard.type("printf '\\e[c'\n");
  await expect(screen).toContainText("1;2c");
  await page.keyboard.press("Control+c");
  await page.reload();
  await expect(screen).toContainText("typed-42");
  await page.keyboard.type("echo again-$((1 + 1))\n");
  await expect(screen).toContainText("again-2");
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("button", { name: "Close the terminal" })).toBeFocused();

  const branch = page.getByRole("link", { name: /^trajectory \d+$/ });
  await expect(branch).toBeVisible();
  await page.getByRole("button", { name: "Close the terminal" }).click();
  await expect(page.getByRole("status").filter({ hasText: "closed" })).toBeVisible();
  await branch.click();
  await readerReady(page);
  await expect(page.getByRole("article", { name: "Step 1", exact: true })).toContainText(command);
  const second = page.getByRole("article", { name: "Step 2", exact: true });
  await expect(second).toContainText("echo typed-$((40 + 2))");
  await expect(second).toContainText("typed-42");
});
