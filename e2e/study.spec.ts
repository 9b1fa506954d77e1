import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "playwright/test";
import { readerReady } from "./support/reader";

// A server of its own, on a home that nobody has used.
test.setTimeout(120_000);
const PORT = Number(process.env.E2E_PORT ?? 3939) + 2;
const BASE = `http://127.0.0.1:${PORT}`;
let home: string;
let server: ChildProcess;
let said = "";

test.skip(!fs.existsSync("db/study/study.tar.br"), "this copy ships no study");

test.beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-study-"));
  const env = { ...process.env, MISSTEP_HOME: home, MISSTEP_STUDY: "", PORT: String(PORT), NODE_OPTIONS: "" };
  server = spawn(process.execPath, ["scripts/start.mjs", "--port", String(PORT)], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  server.stdout?.on("data", (data: Buffer) => {
    said += data.toString();
  });
  await expect(async () => expect((await fetch(`${BASE}/api/health`)).status).toBe(200)).toPass({ timeout: 55_000 });
});
test.afterAll(async () => {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await ended;
  fs.rmSync(home, { recursive: true, force: true });
});

test("a first start shows the study that ships: its report, a flagged step, and the state before it reached again", async ({
  page,
}) => {
  expect(said).toContain("Loaded the study that ships with Misstep");
  await page.goto(`${BASE}/study`);
  const summary = page.getByRole("region", { name: "The study in one table" });
  await expect(summary.getByRole("row", { name: /^MiRL 3 .* fewer/ })).toBeVisible();
  await expect(summary.getByRole("row", { name: /^base — \d/ })).toBeVisible();

  await page.goto(`${BASE}/misbehaviors`);
  await page.locator("main").getByRole("link", { name: "Repeats unnecessary checks" }).first().click();
  const example = page.getByRole("region", { name: "Error steps" }).getByRole("listitem").first();
  const reason = (await example.locator("p").first().textContent()) ?? "";
  const link = example.getByRole("link", { name: /^step \d+$/ });
  const number = ((await link.textContent()) ?? "").replace("step ", "");
  await link.click();
  await expect(page).toHaveURL(new RegExp(`step=${number}`));
  await expect(page.getByText(reason).first()).toBeInViewport();

  await readerReady(page);
  await page
    .getByRole("article", { name: `Step ${number}`, exact: true })
    .getByRole("button", { name: "Rerun to here" })
    .click();
  await expect(page).toHaveURL(/\/prefixes\/\d+/, { timeout: 30_000 });
  await expect(page.getByRole("region", { name: "Rerun check" })).toContainText("kept", { timeout: 60_000 });
});
