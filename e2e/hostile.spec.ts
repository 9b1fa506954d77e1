import { expect, test } from "playwright/test";
import { hostileTrial } from "./support/hostile";
import { importFolder, makeFolder } from "./support/import";

test("hostile text in every field is shown as text: nothing runs, nothing is fetched", async ({
  page,
  context,
  baseURL,
}) => {
  const own = new URL(baseURL ?? "").host;
  const foreign: string[] = [];
  const refused: string[] = [];
  await context.route("**/*", (route) => {
    const url = new URL(route.request().url());
    if (url.host === own || url.protocol === "data:" || url.protocol === "blob:") return route.continue();
    foreign.push(url.href);
    return route.abort();
  });
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  page.on("pageerror", (error) => refused.push(error.message));
  page.on("dialog", (dialog) => {
    foreign.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  const clean = async (where: string) => {
    expect(await page.evaluate(() => (window as { pwned?: number }).pwned), `script ran on ${where}`).toBeUndefined();
    expect(await page.title(), `title was set on ${where}`).not.toMatch(/^owned title/);
    const live = await page.evaluate(() =>
      [...document.querySelectorAll("a[href], img[src]")]
        .map(
          (element) => new URL(element.getAttribute("href") ?? element.getAttribute("src") ?? "", location.href).href,
        )
        .filter((url) => !url.startsWith(`${location.origin}/`) && !url.startsWith("data:")),
    );
    expect(live, `live markup on ${where}`).toEqual([]);
  };

  const folder = makeFolder("hostile/job/trial", hostileTrial()).replace(/\/trial$/, "");
  await importFolder(page, folder);
  await clean("the job page");

  await page.goto("/trajectories?q=trialText");
  await expect(page.getByText("<script>window.pwned=1</script>").first()).toBeVisible();
  await clean("the list");
  const link = page.getByRole("link", { name: /trialText/ }).first();
  await link.click();
  await page.waitForURL(/\/trajectories\/\d+/);
  const reader = page.url();
  for (const field of [
    "userText",
    "messageText",
    "thinkingText",
    "commandText",
    "outputText",
    "toolText",
    "argumentText",
    "resultText",
  ]) {
    await expect(page.getByText(new RegExp(`${field}<script>window\\.pwned`)).first(), field).toBeVisible();
  }
  await clean("the reader");
  for (const tab of ["Outcome tests", "Metadata"]) {
    await page
      .getByRole("tab", { name: new RegExp(tab) })
      .or(page.getByRole("link", { name: new RegExp(tab) }))
      .first()
      .click();
    await expect(page.getByText(/<script>window\.pwned/).first()).toBeVisible();
    await clean(tab);
  }
  for (const path of [
    "/search?q=outputText",
    "/",
    "/misbehaviors",
    "/misbehaviors/binary-as-text",
    "/jobs",
    `${new URL(reader).pathname}?step=1`,
  ]) {
    await page.goto(path);
    await page.waitForLoadState("load");
    await clean(path);
  }
  expect(foreign).toEqual([]);
  expect(refused).toEqual([]);
});
