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

test("a chosen file is called by its name before it is imported, and can be chosen again once it is mended", async ({
  page,
}) => {
  await page.goto("/import");
  const input = page.getByLabel("Files to import");
  const choose = (text: string) =>
    input.setInputFiles({ name: "half.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await choose('{"messages": [');
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("heading", { name: "half.json", exact: true })).toBeVisible();
  await expect(preview).toContainText("0 trajectories in 1 file or folder (");
  await expect(preview).toContainText("1 refused so far");
  // A browser reports no change where the input still holds the file of that name.
  await expect(input).toHaveValue("");
  await choose('{"messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "bye"}]}');
  await expect(preview).toContainText("1 trajectory in 1 file or folder (");
});
