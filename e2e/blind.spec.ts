import fs from "node:fs";
import path from "node:path";
import { type APIRequestContext, expect, test } from "playwright/test";
import { asPerson, call, type SeededReview, seededReview } from "./support/seededReview";

const MARKER = "marker-of-the-first-rater";

/** Every page and GET route of the app, by its folder. */
function routes(): string[] {
  const files = fs.readdirSync("app", { recursive: true, encoding: "utf8" });
  const found = files.flatMap((file) => {
    const name = path.basename(file);
    if (
      name === "route.ts" &&
      !/export (async )?function GET|export const GET/.test(fs.readFileSync(path.join("app", file), "utf8"))
    )
      return [];
    return name === "page.tsx" || name === "route.ts" ? [path.dirname(file).split(path.sep).join("/")] : [];
  });
  return found.map((folder) => (folder === "." ? "/" : `/${folder}`));
}

/** Addresses of a route with what belongs to the queue filled in, also by the words that a route may be asked with. */
function addresses(route: string, seed: SeededReview, item: number): string[] {
  const filled = route
    .replace("/review/[id]", `/review/${seed.queueId}`)
    .replace("[queue]", String(seed.queueId))
    .replace("[item]", String(item))
    .replace("/trajectories/[id]", `/trajectories/${seed.trajectory}`)
    .replace("[slug]", "ignored-output")
    .replaceAll(/\[[^\]]+\]/g, "1");
  const queries = ["", `?item=${item}&queue=${seed.queueId}&q=${MARKER}&ids=${seed.trajectory},${seed.trajectory + 1}`];
  if (route.includes("/api/trajectories/")) queries.push(`?q=${MARKER}`, "?format=json", "?from=0&count=40");
  if (route === "/search") queries.push(`?q=${MARKER}`);
  return queries.map((query) => filled + query);
}

/** Ids of all server actions of the build. */
function actionIds(): string[] {
  const manifest = JSON.parse(fs.readFileSync(".next/server/server-reference-manifest.json", "utf8")) as {
    node: Record<string, unknown>;
  };
  return Object.keys(manifest.node);
}

/** What of the first rater's answer comes back to another person, by any GET and any action. */
async function leaks(request: APIRequestContext, person: number, seed: SeededReview, item: number): Promise<string[]> {
  const found: string[] = [];
  const look = (where: string, text: string) => {
    // A query that asks for the marker is echoed where a page shows what was searched for.
    const own = text.replaceAll(`q=${MARKER}`, "").replaceAll(`"q":"${MARKER}"`, "").replaceAll(`“${MARKER}”`, "");
    if (own.includes(`${MARKER}: not the policy`)) found.push(where);
  };
  for (const address of routes().flatMap((route) => addresses(route, seed, item))) {
    // A stream never ends.
    if (address.includes("/stream")) continue;
    const response = await request.get(address, { headers: asPerson(person) });
    expect(response.status(), address).toBeLessThan(500);
    look(address, await response.text());
  }
  const everything = {
    queueId: seed.queueId,
    itemId: item,
    id: seed.queueId,
    item,
    queue: seed.queueId,
    items: [item],
    ids: [item],
  };
  for (const id of actionIds()) {
    const response = await request.post(`/review/${seed.queueId}`, {
      headers: { ...asPerson(person), "next-action": id, "content-type": "text/plain;charset=UTF-8" },
      data: JSON.stringify([everything]),
    });
    look(`action ${id}`, await response.text());
  }
  return found;
}

test("what one rater said reaches another by no route and no action before their own answer, and after it does", async ({
  request,
}) => {
  test.setTimeout(120_000);
  const seed = seededReview("blind by the server", "wrong");
  const { ada, bob, lea } = seed.people;
  const api = `/api/review/${seed.queueId}`;
  const taken = JSON.parse((await call(request, ada, `${api}/next`, {})).text) as {
    next: { item: { itemId: number } };
  };
  const item = taken.next.item.itemId;
  const answer = { verdict: "environment", reason: `${MARKER}: not the policy` };
  const said = await call(request, ada, `${api}/answer`, {
    itemId: item,
    key: "blind-ada-1",
    answer,
    durationMs: 9000,
  });
  expect(said.status).toBe(200);

  // The second rater gets the same item, and it says nothing of the first or of the localizer.
  const next = await call(request, bob, `${api}/next`, {});
  expect(JSON.parse(next.text).next.item.itemId).toBe(item);
  expect(next.text).not.toContain(MARKER);
  expect(next.text).not.toContain("localizer says why");
  const own = await request.get(`${api}/items/${item}`, { headers: asPerson(bob) });
  expect(JSON.parse(await own.text()).revealed).toEqual({ others: null, model: null, settled: null });
  expect(await leaks(request, bob, seed, item)).toEqual([]);
  // A skip is no answer.
  await call(request, bob, `${api}/answer`, {
    itemId: item,
    key: "blind-bob-1",
    answer: { verdict: "skip" },
    durationMs: 900,
  });
  const skipped = await request.get(`${api}/items/${item}`, { headers: asPerson(bob) });
  expect(await skipped.text()).not.toContain(MARKER);
  const undone = await call(request, bob, `${api}/undo`, {});
  expect(JSON.parse(undone.text).item.itemId).toBe(item);
  expect(undone.text).not.toContain(MARKER);
  const reply = await call(request, bob, `${api}/answer`, {
    ...{ itemId: item, key: "blind-bob-2", durationMs: 9000 },
    answer: { verdict: "wrong" },
  });
  expect(reply.text).not.toContain(MARKER);
  const after = await request.get(`${api}/items/${item}`, { headers: asPerson(bob) });
  const shown = JSON.parse(await after.text());
  expect(shown.revealed.others).toEqual([
    expect.objectContaining({ name: "ada", verdict: "environment", reason: answer.reason }),
  ]);
  expect(JSON.stringify(shown.revealed.model)).toContain("localizer says why");
  // The lead, who rates nothing, sees it from the start.
  const lead = await request.get(`/review/${seed.queueId}/settle?item=${item}`, { headers: asPerson(lea) });
  expect(await lead.text()).toContain(MARKER);
});
