import { expect, test } from "vitest";
import { placedView } from "./placed";

const row = { kind: "rerun", place: "slurm", placed: null, params: "{}" };

test("jobs in Slurm are told apart by whether they are through; what was never asked has no age", () => {
  const placed = {
    submissions: [
      { n: 2, slurmId: "8", tasks: 1 },
      { n: 3, slurmId: null, tasks: 1 },
    ],
    slurmIds: ["7", "8"],
  };
  expect(placedView({ ...row, placed: JSON.stringify(placed) })).toMatchObject({
    slurmIds: ["8"],
    pastSlurmIds: ["7"],
    askedAgoMs: null,
    launch: null,
  });
  expect(placedView(row)).toMatchObject({ slurmIds: [], states: {}, askedAt: null });
  expect(placedView({ ...row, place: "local" })).toBeNull();
});

test("a launch says folder and address also before its target answered", () => {
  const params = JSON.stringify({ folder: "/b", address: "http://h:8265" });
  expect(placedView({ kind: "launch", place: "ray", placed: null, params })?.launch).toEqual({
    folder: "/b",
    address: "http://h:8265",
    name: null,
    state: null,
    said: null,
  });
});
