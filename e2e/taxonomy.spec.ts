import { expect, type Locator, type Page, test } from "playwright/test";
import { choose, openDialog } from "./support/forms";
import { servePolicy } from "./support/servePolicy";

/** Cells of a table by the text of a row's first cell. */
async function cells(table: Locator): Promise<Map<string, string[]>> {
  const rows = await table.getByRole("row").all();
  const read = await Promise.all(rows.map((row) => row.getByRole("cell").allInnerTexts()));
  return new Map(read.filter((row) => row.length > 0).map(([first = "", ...rest]) => [first, rest]));
}

/** Error steps of a version's misbehaviors, as its page says. */
async function counts(page: Page): Promise<Map<string, number>> {
  const rows = await cells(page.getByRole("region", { name: "Types", exact: true }));
  return new Map(
    [...rows].filter(([, [state]]) => state === "misbehavior").map(([name, [, steps = ""]]) => [name, Number(steps)]),
  );
}

/** Ticks or presses what the keyboard stands on after going there. */
async function byKey(page: Page, target: Locator, key: string) {
  await target.focus();
  await expect(target).toBeFocused();
  await page.keyboard.press(key);
}

const done = async (page: Page, timeout: number) =>
  expect(page.getByRole("region", { name: "Job" }).getByText("done", { exact: true })).toBeVisible({ timeout });

test("an endpoint's model is profiled, its error steps get a taxonomy, and two of its types become one", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const name = `journey ${Date.now()}`;
  const server = await servePolicy();
  try {
    await page.goto("/settings");
    let dialog = await openDialog(page, "Add an endpoint", "New endpoint");
    await dialog.getByLabel("Name").fill("embedded");
    await dialog.getByLabel("Base address").fill(server.baseUrl);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    dialog = await openDialog(page, "Add a model", "New model");
    await dialog.getByLabel("Name").fill("tiny");
    await choose(page, "Endpoint", "embedded");
    await dialog.getByLabel("Id").fill("tiny-base");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    dialog = await openDialog(page, "Test connection of tiny", "tiny answers");
    await dialog.getByRole("button", { name: "Close" }).click();

    await page.goto("/profiles");
    await choose(page, "Policy", "tiny (model)");
    await page.getByLabel("Environments", { exact: true }).fill("10");
    await page.getByLabel("Rollouts each").fill("1");
    await expect(page.getByRole("combobox", { name: "Localizer" })).toHaveText("The rules");
    await expect(page.getByRole("combobox", { name: "Teacher" })).toHaveText("The suite’s expert");
    await page.getByRole("button", { name: "Start a profile" }).click();
    await page.waitForURL(/\/profiles\/\d+$/);
    const profile = page.url().split("/").at(-1);
    await done(page, 180_000);
    const summary = page.getByRole("list", { name: "Summary" });
    await expect(summary).toContainText("of 10 planned");

    await page.goto("/misbehaviors");
    await page.getByRole("form", { name: "Build a taxonomy" }).getByText("Settings", { exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await expect(page.getByRole("combobox", { name: "Annotator" })).toHaveText("Rules (the eight detectors)");
    await choose(page, "Error steps", new RegExp(`^Profile ${profile}: `));
    await page.getByLabel("Steps a batch").fill("5");
    await page.getByLabel("Seen in batches").fill("1");
    await page.getByRole("button", { name: "Build a taxonomy" }).click();
    await page.waitForURL(/\/misbehaviors\/versions\/\d+$/);
    const first = page.url();
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("link", { name: "Show the numbers" })).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 30_000 });
    const before = await counts(page);
    expect(before.size).toBeGreaterThan(1);
    const [one = "", two = ""] = [...before.keys()];
    await page.getByRole("link", { name: "Show the numbers" }).click();
    await page.getByRole("link", { name: "Edit types" }).click();
    const editor = page.getByRole("region", { name: "Edit the types" });
    await byKey(page, editor.getByRole("checkbox", { name: `Select ${one}` }), "Space");
    await expect(editor).toContainText("1 type selected");
    await byKey(page, editor.getByRole("checkbox", { name: `Select ${two}` }), "Space");
    await expect(editor).toContainText("2 types selected");
    await byKey(page, editor.getByRole("button", { name: "Merge" }), "Enter");
    const merge = page.getByRole("form", { name: "merge types" });
    await expect(merge.getByLabel("Name")).toBeFocused();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Acts without looking");
    await page.keyboard.press("Enter");
    await expect(merge).toBeHidden();
    await expect(editor.getByRole("row", { name: /Acts without looking/ })).toBeVisible();
    await byKey(page, editor.getByLabel("Why (kept with the version)"), "O");
    await page.keyboard.type("ne habit");
    await byKey(page, editor.getByRole("button", { name: "Make version 2" }), "Enter");
    await page.waitForURL((url) => /\/misbehaviors\/versions\/\d+$/.test(url.pathname) && url.href !== first);
    await expect(page.getByRole("heading", { name: `${name} 2` })).toBeVisible();
    const after = await counts(page);
    const merged = after.get("Acts without looking") ?? 0;
    const parts = [before.get(one) ?? 0, before.get(two) ?? 0];
    // A step with both counts once.
    expect(merged).toBeGreaterThanOrEqual(Math.max(...parts));
    expect(merged).toBeLessThanOrEqual(parts.reduce((sum, n) => sum + n, 0));
    expect([...after].filter(([type]) => type !== "Acts without looking")).toEqual([...before].slice(2));

    const flow = page.getByRole("figure").filter({ hasText: "Flow of error steps" });
    await flow.getByRole("button", { name: "Table" }).click();
    const flows = flow.getByRole("row").filter({ hasText: "Acts without looking" });
    await expect(flows).toHaveCount(2);
    expect(await flows.getByRole("cell").allInnerTexts()).toEqual(expect.arrayContaining([one, two]));
    const moved = await flows.evaluateAll((rows) => rows.map((row) => Number(row.lastElementChild?.textContent)));
    expect(moved.reduce((sum, n) => sum + n, 0)).toBe(merged);
    const types = await cells(page.getByRole("region", { name: "Types under both versions" }));
    expect(types.get("Acts without looking")?.slice(0, 3)).toEqual([`${one}, ${two}`, parts.join(" + "), `${merged}`]);
    await expect(page.getByText(/version 2: merge/)).toBeVisible();

    await page.goto(first);
    expect(await counts(page)).toEqual(before);
    await page.goto("/misbehaviors/versions");
    const versions = page.getByRole("region", { name: "Taxonomy versions" });
    await expect(versions.getByRole("link", { name: `${name} 1`, exact: true })).toBeVisible();
    await expect(versions.getByRole("row", { name: `${name} 2` })).toContainText("One habit");
  } finally {
    await server.close();
  }
});
