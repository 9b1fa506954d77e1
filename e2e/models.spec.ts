import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, test } from "playwright/test";
import { choose, openDialog } from "./support/forms";

const KEY = "a-key-that-nobody-may-see";

/** A server of OpenAI's protocol that says `says`, or refuses with the key in its words. */
async function endpoint() {
  const state = { refuses: false, keys: [] as (string | undefined)[] };
  const server = http.createServer((req, res) => {
    state.keys.push(req.headers.authorization);
    req.resume();
    req.on("end", () => {
      const body = state.refuses
        ? { error: { message: `no rights for ${KEY}` } }
        : {
            id: "1",
            object: "chat.completion",
            created: 1,
            model: "m",
            choices: [
              { index: 0, finish_reason: "stop", message: { role: "assistant", content: "The line is <b>good</b>." } },
            ],
            usage: { prompt_tokens: 2000, completion_tokens: 100, total_tokens: 2100 },
          };
      res.writeHead(state.refuses ? 401 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { state, baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

test("a model is set up, tested for real, priced, and its calls are in the ledger", async ({ page }) => {
  test.setTimeout(180_000);
  const server = await endpoint();
  try {
    await page.goto("/settings");
    let dialog = await openDialog(page, "Add an endpoint", "New endpoint");
    await dialog.getByLabel("Name").fill("here");
    await dialog.getByLabel("Base address").fill("nowhere");
    await choose(page, "Key", "keys.json (mode 0600)");
    await dialog.getByLabel("Key to write").fill(KEY);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toContainText("baseUrl: is an address that begins with http://");
    await dialog.getByLabel("Base address").fill(server.baseUrl);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("region", { name: "Endpoints" })).toContainText("set in keys.json");
    const keys = path.join(process.env.E2E_HOME ?? "", "keys.json");
    expect(fs.statSync(keys).mode & 0o777).toBe(0o600);

    dialog = await openDialog(page, "Add a model", "New model");
    await dialog.getByLabel("Name").fill("mine");
    await dialog.getByLabel("Id").fill("m");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();

    dialog = await openDialog(page, "Edit role annotator", "Role annotator");
    await choose(page, "Model", "mine");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("row", { name: /^annotator mine 0.7/ })).toBeVisible();

    dialog = await openDialog(page, "Add a price", "New price");
    await choose(page, "Fill in from the paper’s table", "Qwen3.5-4B");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("region", { name: "Prices" })).toContainText("0.066");

    dialog = await openDialog(page, "Test connection of mine", "mine answers");
    await expect(dialog).toContainText("The line is <b>good</b>.");
    await expect(dialog).toContainText("2,000");
    expect(server.state.keys).toEqual([`Bearer ${KEY}`]);
    await dialog.getByRole("button", { name: "Close" }).click();

    server.state.refuses = true;
    dialog = await openDialog(page, "Test connection of mine", "mine does not answer");
    await expect(dialog.getByRole("alert")).toHaveText("here, mine: status 401: no rights for [key of here]");
    await dialog.getByRole("link", { name: /The whole call/ }).click();
    await expect(page.getByRole("heading", { name: /^Call \d+$/ })).toBeVisible();
    await expect(page.getByRole("region", { name: "raw reply", exact: true })).toContainText("[key of here]");
    expect(await page.content()).not.toContain(KEY);

    await page.goto("/settings/calls?model=mine");
    const totals = page.getByRole("region", { name: "Totals by model and role" });
    // 2000 x 0.33 + 100 x 1.005 per million.
    await expect(totals.getByRole("row", { name: /^mine probe 2 1/ })).toContainText("$0.00076");
    await expect(totals).toContainText("cost of 1 not known");
    await page.goto("/settings/calls?model=mine&status=failed");
    await expect(page.getByRole("region", { name: "Calls", exact: true }).getByRole("row")).toHaveCount(2);

    await page.goto("/settings");
    await expect(async () => {
      await page.getByRole("button", { name: "Remove model mine" }).click();
      await page.getByRole("button", { name: "Really remove model mine" }).click({ timeout: 1000 });
    }).toPass();
    await expect(page.getByRole("region", { name: "Models", exact: true }).getByRole("alert")).toContainText(
      'model "mine" is used by role annotator',
    );
    expect(await page.content()).not.toContain(KEY);
  } finally {
    server.close();
  }
});
