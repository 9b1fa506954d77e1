import { expect, test } from "playwright/test";
import { makeFolder } from "./support/import";

const HARBOR = {
  "task.toml": 'schema_version = "1.1"\n[task]\nname = "e2e/foreign"\n',
  "instruction.md": "Write <b>hello</b> into /app/hello.txt.\n",
  "environment/Dockerfile": "FROM alpine:3.22\nWORKDIR /app\n",
  "tests/test.sh": "#!/bin/bash\ngrep -q hello /app/hello.txt && echo 1 > /logs/verifier/reward.txt\n",
};

test("a folder of tasks is imported; what cannot run here says why; what cannot be read is listed", async ({
  page,
}) => {
  const folder = makeFolder("tasks", {
    ...Object.fromEntries(Object.entries(HARBOR).map(([name, text]) => [`foreign/${name}`, text])),
    "broken/task.toml": "= 1",
  });
  await page.goto("/environments");
  await page.getByText("Import task directories").click();
  await page.getByLabel("Folder on this machine").fill("/etc");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "outside the folders" })).toBeVisible();
  await page.getByLabel("Folder on this machine").fill(folder);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.waitForURL(/\/jobs\/\d+/);
  await expect(page.getByRole("region", { name: "State" }).getByText("done", { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByText(/1 environments added|1 environment added/)).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: "Refused" })).toContainText("task.toml");
  await page.goto("/environments?q=e2e");
  await expect(page.getByRole("region", { name: "Environments" })).toContainText("nowhere");
  await page.getByRole("link", { name: "e2e/foreign" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("e2e/foreign");
  await expect(page.getByRole("region", { name: "Instruction" })).toContainText("Write <b>hello</b> into");
  await expect(page.getByRole("region", { name: "Where it runs" })).toContainText("alpine:3.22 is not there");
  await page.getByRole("link", { name: "environment/Dockerfile" }).click();
  await expect(page.getByRole("region", { name: "environment/Dockerfile" })).toContainText("FROM alpine:3.22");
});

test("our own environments are there from the start, are checked from the list, and show their test cases", async ({
  page,
}) => {
  await page.goto("/environments");
  const list = page.getByRole("region", { name: "Environments" });
  await expect(list.getByRole("row").filter({ hasText: "water-plan" })).toContainText("unchecked");
  await page.getByRole("checkbox", { name: "Select water-plan" }).click();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.waitForURL(/\/jobs\/\d+/);
  await expect(page.getByRole("region", { name: "State" }).getByText(/^(done|partial)$/)).toBeVisible({
    timeout: 50_000,
  });
  await page.goto("/environments?q=water-plan");
  const row = list.getByRole("row").filter({ hasText: "water-plan" });
  // Where no sandbox can be made the checks are void, which is not 0.
  const able = (await row.getByText("bubblewrap").count()) > 0;
  await expect(row).toContainText(able ? "sound" : "void");
  await page.getByRole("link", { name: "water-plan" }).click();
  const checks = page.getByRole("region", { name: "Checks" }).first();
  await expect(checks).toContainText(able ? "north has 25 minutes" : "cannot run here");
});
