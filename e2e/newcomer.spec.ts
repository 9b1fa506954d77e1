import { expect, test } from "playwright/test";
import { importFolder, makeFolder } from "./support/import";

test("a newcomer sees the sample, a misbehavior, and the step behind it with its reason", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("list", { name: "Funnel" })).toContainText("Rollouts", { timeout: 30_000 });
  await page.getByRole("link", { name: "See which error steps recur" }).click();
  await page.getByRole("link", { name: "Kills processes without checking their identities" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Kills processes without checking their identities");
  const example = page.getByRole("region", { name: "Error steps" }).getByRole("listitem").first();
  const reason = (await example.locator("p").first().textContent()) ?? "";
  expect(reason.length).toBeGreaterThan(10);
  const step = (await example.getByRole("link", { name: /^step \d+$/ }).textContent()) ?? "";
  await example.getByRole("link", { name: /^step \d+$/ }).click();
  await expect(page).toHaveURL(new RegExp(`step=${step.replace("step ", "")}`));
  await expect(page.getByText(reason).first()).toBeInViewport();
});

test("an import shows what was refused and why, and adds nothing the second time", async ({ page }) => {
  const run = [
    { role: "user", content: "Count the lines" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "bash", arguments: '{"command":"wc -l notes.txt"}' } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "3 notes.txt\n\n(exit_code=0)" },
  ];
  const folder = makeFolder("twice", {
    "run.json": JSON.stringify(run),
    "cut.json": JSON.stringify(run).slice(0, 90),
    "readme.md": "notes",
  });
  await importFolder(page, folder);
  await expect(page.getByText(/^1 imported, 1 refused/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Refused" })).toContainText("cut.json");
  await importFolder(page, folder);
  await expect(page.getByText(/1 already there/)).toBeVisible();
  await expect(page.getByText(/\d+ imported,/)).toHaveCount(0);
});
