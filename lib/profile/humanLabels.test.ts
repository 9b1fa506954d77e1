import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { emptyStep, emptyTrajectory } from "@/lib/trajectory/build";
import { toAtif } from "@/lib/trajectory/export/atif";
import { toChatLine } from "@/lib/trajectory/export/chat";
import { loadTrajectory } from "@/lib/trajectory/load";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { importOne } from "@/lib/trajectory/testing";
import type { HumanLabel, Trajectory } from "@/lib/trajectory/types";
import { storeHumanLabels } from "./humanLabels";

const LABELS: HumanLabel[] = [
  { step: 0, dataset: "who-and-when", category: null, reason: "It guessed.", root: true },
  { step: 1, dataset: "agentrx", category: "Wrong tool", reason: "No such tool.", root: false },
  { step: 1, dataset: "agentrx", category: "Misread output", reason: null, root: true },
];

function stored(trajectory: Trajectory) {
  const db = openMemoryDb();
  const { id } = storeTrajectory(db, prepareTrajectory(trajectory, "h"), { studyId: 1, jobId: null, sourceKey: "s" });
  storeHumanLabels(db, id, trajectory.labels);
  return { db, id };
}

test("labels that came with a file go out with an export and come in again, in both formats", async () => {
  const steps = [0, 1].map((turn) => ({ ...emptyStep("agent", turn), message: `step ${turn}` }));
  const { db, id } = stored({ ...emptyTrajectory("who-and-when"), steps, labels: LABELS });
  // What a person said here is not the file's: it stays out.
  db.$client.exec(`insert into localizer (id, kind, name, version) values (90, 'person', 'people', '1');
    insert into localization (step_id, localizer_id, verdict, reason) select step_id, 90, 'bad', 'mine' from localization limit 1`);
  const loaded = loadTrajectory(db, id);
  expect(loaded?.labels).toEqual(LABELS);
  if (!loaded) return;
  for (const [text, name] of [
    [JSON.stringify(toAtif(loaded)), "t.json"],
    [`${toChatLine(loaded)}\n`, "t.jsonl"],
  ] as const) {
    const [read] = (await importOne(text, name)).trajectories;
    expect(read?.labels, name).toEqual(LABELS);
    const again = read && stored(read);
    const count = (kind: string) =>
      again?.db.$client.prepare(`select count(*) from ${kind}`).pluck().get() as number | undefined;
    expect([count("localization"), count("label"), count("error_step where active = 1")]).toEqual([3, 2, 2]);
  }
});
