import path from "node:path";
import { expect, test } from "playwright/test";
import { stopJobs, walk } from "./support/monkey";
import { addresses } from "./support/pages";
import { seeded } from "./support/seeded";

const WALKS = 6;
const ACTIONS = 20;

// npm run monkey walks further. Named to come last: walks start jobs and change labels, which no other spec expects.
test("random walks meet no error page, no error in the console and no failed request", async ({ browser, baseURL }) => {
  test.setTimeout(300_000);
  seeded();
  const { all } = addresses(
    path.resolve(import.meta.dirname, ".."),
    path.join(process.env.E2E_HOME ?? "", "misstep.db"),
  );
  const walks = [];
  for (let seed = 1; seed <= WALKS; seed++) {
    walks.push(await walk(browser, { origin: baseURL ?? "", pages: all, seed, actions: ACTIONS }));
    await stopJobs(baseURL ?? "");
  }
  expect(walks.filter((one) => one.fault !== null)).toEqual([]);
  expect(walks.every((one) => one.lines.length === ACTIONS)).toBe(true);
});
