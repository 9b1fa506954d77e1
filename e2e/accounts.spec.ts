import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, type Page, test } from "playwright/test";

// A server of its own: the others' has no accounts.
const PORT = Number(process.env.E2E_PORT ?? 3939) + 1;
const BASE = `http://127.0.0.1:${PORT}`;
const PASSWORD = "correct horse battery";
// Both on one server, in order.
test.describe.configure({ mode: "serial" });

let home: string;
let server: ChildProcess;
let invitation: string;

const env = () => ({
  ...process.env,
  MISSTEP_HOME: home,
  MISSTEP_STUDY: "off",
  PORT: String(PORT),
  NODE_OPTIONS: "",
});
const misstep = (...args: string[]) =>
  execFileSync(process.execPath, ["scripts/misstep.mjs", ...args], { env: env(), encoding: "utf8" });

test.beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-accounts-"));
  const said = JSON.parse(misstep("accounts", "on", "--admin", "Ada", "--json"));
  invitation = said.invitation.link;
  server = spawn(process.execPath, ["scripts/start.mjs", "--port", String(PORT)], {
    env: env(),
    stdio: "ignore",
  });
  await expect(async () => expect((await fetch(`${BASE}/api/health`)).status).toBe(200)).toPass({ timeout: 50_000 });
});
test.afterAll(async () => {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await ended;
  fs.rmSync(home, { recursive: true, force: true });
});

/** Chooses a password at a link and is in. The form works once the page is alive. */
async function join(page: Page, link: string, name?: string): Promise<void> {
  await page.goto(link, { waitUntil: "networkidle" });
  if (name !== undefined) await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${BASE}/`);
}

test("nobody comes in without an account; an admin invites an annotator, and disabling ends their session at once", async ({
  browser,
}) => {
  const [ada, bo] = await Promise.all([0, 1].map(async () => (await browser.newContext()).newPage()));
  if (!ada || !bo) throw new Error("no pages");

  await bo.goto(`${BASE}/jobs?status=done`);
  await expect(bo).toHaveURL(`${BASE}/sign-in?next=%2Fjobs%3Fstatus%3Ddone`);
  expect((await bo.request.get(`${BASE}/api/jobs`)).status()).toBe(401);

  await join(ada, invitation);
  await ada.goto(`${BASE}/settings`, { waitUntil: "networkidle" });
  await ada.getByRole("button", { name: "Invite somebody new" }).click();
  await ada.getByRole("button", { name: "Make a link" }).click();
  const link = (await ada.getByRole("status").locator("code").textContent()) ?? "";
  await ada.getByRole("button", { name: "Done" }).click();

  await join(bo, link, "Bo");
  await expect(bo.getByRole("link", { name: "Bo, annotator: your account" })).toBeVisible();
  const upload = await bo.request.post(`${BASE}/api/upload?batch=0123456789abcdef&path=x.json`, { data: "{}" });
  expect(upload.status()).toBe(403);

  misstep("people", "disable", "Bo");
  await bo.getByRole("link", { name: "Jobs", exact: true }).click();
  await expect(bo).toHaveURL(`${BASE}/sign-in?next=%2Fjobs`);
  await bo.goto(link);
  await expect(bo.getByText("This link was used already")).toBeVisible();
});

test("one signs out, back in by name and password, and lands where one wanted to go", async ({ page }) => {
  await page.goto(`${BASE}/models`);
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Name").fill("ada");
  await page.getByLabel("Password").fill("wrong password");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Name or password is wrong")).toBeVisible();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${BASE}/models`);
  await page.getByRole("link", { name: "Ada, admin: your account" }).click();
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.waitForURL(`${BASE}/sign-in`);
  await page.goto(`${BASE}/models`);
  await expect(page).toHaveURL(/sign-in/);
});
