import { type Browser, type BrowserContext, expect, type Page, test } from "playwright/test";
import { seededReview } from "./support/seededReview";

const ITEMS = 30;
/** Both say wrong of 1 to 12, only ada of 13 to 18, only bob of 19 to 21, nobody of 22 to 30. */
const ADA_WRONG = (position: number) => position <= 18;
const BOB_WRONG = (position: number) => position <= 12 || (position >= 19 && position <= 21);
/** Observed (12 + 9) / 30 = 0.7, by chance 18/30 · 15/30 + 12/30 · 15/30 = 0.5: (0.7 - 0.5) / (1 - 0.5). */
const KAPPA = "0.40";
const CONFLICTS = 9;

async function browserOf(browser: Browser, baseURL: string | undefined, person: number): Promise<BrowserContext> {
  if (baseURL === undefined) throw new Error("no base address: run by playwright.config.ts");
  const context = await browser.newContext({ baseURL });
  await context.addCookies([{ name: "misstep-person", value: String(person), url: baseURL }]);
  return context;
}

const heading = (page: Page, position: number) =>
  page.getByRole("heading", { level: 2, name: new RegExp(`item ${position}(?!\\d)`) });

/** Answers items `from` to `to` by keys alone; each must come up in its turn, with the focus on its heading. */
async function label(page: Page, from: number, to: number, wrong: (position: number) => boolean): Promise<void> {
  for (let position = from; position <= to; position++) {
    await expect(heading(page, position)).toBeFocused({ timeout: 20_000 });
    await page.keyboard.press(wrong(position) ? "1" : "2");
  }
}

test("two annotators label the same items by keys, one crashes and goes on, a lead settles the conflicts", async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000);
  const { queueId, people } = seededReview("journey of two annotators", "wrong");
  const seat = `/review/${queueId}`;
  const ada = await browserOf(browser, baseURL, people.ada);
  const bob = await browserOf(browser, baseURL, people.bob);

  const asAda = async () => {
    const first = await ada.newPage();
    await first.goto(seat);
    await label(first, 1, 11, ADA_WRONG);
    await expect(heading(first, 12)).toBeVisible();
    // A note half written, and the browser is gone.
    await first.keyboard.press("n");
    await first.keyboard.type("no such fi");
    await ada.close();
    const back = await browserOf(browser, baseURL, people.ada);
    const page = await back.newPage();
    await page.goto(seat);
    await expect(page.getByText("11 done · 19 left")).toBeVisible();
    await label(page, 12, 12, ADA_WRONG);
    // A slip, taken back and said anew.
    await expect(heading(page, 13)).toBeFocused();
    await page.keyboard.press("2");
    await expect(heading(page, 14)).toBeFocused();
    await expect(page.getByText("13 done · 17 left")).toBeVisible();
    await page.keyboard.press("u");
    await label(page, 13, ITEMS, ADA_WRONG);
    await expect(page.getByRole("heading", { name: "Done: nothing is left for you" })).toBeVisible();
    await back.close();
  };
  const asBob = async () => {
    const page = await bob.newPage();
    await page.goto(seat);
    await expect(heading(page, 1)).toBeFocused({ timeout: 20_000 });
    await page.keyboard.press("n");
    await page.keyboard.type("the file is not there");
    await page.keyboard.press("Enter");
    await page.keyboard.press("1");
    await label(page, 2, ITEMS, BOB_WRONG);
    await expect(page.getByRole("heading", { name: "Done: nothing is left for you" })).toBeVisible();
    await bob.close();
  };
  await Promise.all([asAda(), asBob()]);

  const lead = await browserOf(browser, baseURL, people.lea);
  const page = await lead.newPage();
  await page.goto(`${seat}/agreement`);
  const row = page.getByRole("region", { name: "Agreement overall" }).getByRole("row", { name: /^All answers/ });
  await expect(row.getByRole("cell").nth(0)).toContainText("70");
  await expect(row.getByRole("cell").nth(1)).toContainText(KAPPA);
  await page.goto(`${seat}/settle`);
  for (let left = CONFLICTS; left > 0; left--) {
    await expect(page.getByText(new RegExp(`1 of ${left}, item \\d+`))).toBeVisible();
    await page.keyboard.press("1");
  }
  await expect(page.getByRole("heading", { name: "No conflict is left" })).toBeVisible();
  await page.getByRole("button", { name: "Adopt all unanimous" }).press("a");
  await expect(page.getByText("21 items adopted")).toBeVisible();
  await lead.close();
});

test("at 400 px who has no name picks one in the queue that asks for it, and the queue goes on", async ({
  browser,
  baseURL,
}) => {
  const { queueId } = seededReview("journey of somebody without a name", "wrong");
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    viewport: { width: 400, height: 800 },
  });
  const page = await context.newPage();
  await page.goto(`/review/${queueId}/history`);
  const pick = page.getByRole("main").getByRole("button", { name: "Pick a name" });
  await expect(pick).toBeInViewport();
  await page.goto(`/review/${queueId}`);
  await expect(pick).toBeInViewport();
  await pick.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Who are you?" });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(pick).toBeFocused();
  await pick.press("Enter");
  await dialog.getByLabel("Your name").fill("Nora");
  await page.keyboard.press("Enter");
  await expect(heading(page, 1)).toBeVisible({ timeout: 20_000 });
  await context.close();
});
