import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type axe from "axe-core";
import { expect, test } from "playwright/test";
import { addresses, routes } from "./support/pages";
import { seeded } from "./support/seeded";

const root = path.resolve(import.meta.dirname, "..");
const script = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Another index than that of this run: for looking at a larger one by hand. */
const database = process.env.E2E_DATABASE ?? path.join(process.env.E2E_HOME ?? "", "misstep.db");

test.beforeAll(() => {
  seeded();
});

/** Serious and critical findings of the page as it is, one line each. */
const findings = (only: string[] | null) =>
  `axe.run(document, ${JSON.stringify({
    resultTypes: ["violations"],
    ...(only ? { runOnly: { type: "rule", values: only } } : {}),
  })})`;
const told = (results: axe.AxeResults): string[] =>
  results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(
        (node) => `${impact} ${id}: ${node.target.join(" ")} ${node.failureSummary?.split("\n")[1]?.trim() ?? ""}`,
      ),
    );

// Named to come after the specs that make what the pages show, and before the random walks.
for (const route of routes(root))
  test(`${route} has no serious or critical issue, in light and in dark`, async ({ page }) => {
    // A long table takes the checker as long as a person.
    test.setTimeout(180_000);
    const shown = addresses(root, database).of[route] ?? [];
    test.skip(shown.length === 0, "this index has nothing that the page would show");
    for (const address of shown) {
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await page.goto(address, { waitUntil: "load" });
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      // Skeletons are what is there until the data comes. Pages that follow something never fall silent.
      await page.waitForLoadState("networkidle", { timeout: 700 }).catch(() => undefined);
      // Over the debugging protocol: the page's policy lets no script in that is not its own.
      await page.evaluate(script);
      const light = told((await page.evaluate(findings(null))) as axe.AxeResults);
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await expect(page.locator("html")).toHaveClass(/dark/);
      const dark = told((await page.evaluate(findings(["color-contrast"]))) as axe.AxeResults);
      expect([address, ...light, ...dark.map((line) => `dark: ${line}`)]).toEqual([address]);
    }
  });
