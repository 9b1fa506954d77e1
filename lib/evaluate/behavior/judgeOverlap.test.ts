import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { judgeOverlap } from "./judgeOverlap";

test("windows in environments a judge was taught in are counted; a judge that does not say is not known", () => {
  const db = openMemoryDb();
  db.$client.exec(`
    insert into environment (id, name, dataset) values (101, 'seen', 'x'), (102, 'fresh', 'x');
    insert into checkpoint (id, name) values (1, 'c');
    insert into prefix (id, study_id, step_id, environment_id, status) values (1, 1, 1, 101, 'kept'), (2, 1, 2, 102, 'kept');
    insert into evaluation (id, study_id, name, kind, protocol) values (7, 1, 'm', 'misbehavior-rate', '{}');
    insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number, void_reason)
      values (7, 1, 1, 1, 1, null), (7, 1, 1, 1, 2, null), (7, 1, 1, 1, 3, 'no sandbox'), (7, 1, 2, 1, 1, null);
  `);
  const of = (environments?: string[]) =>
    judgeOverlap(db, 7, {
      trainedOn: { measurement: 1, measurementName: "m", from: "people", ...(environments ? { environments } : {}) },
    });
  expect(of(["seen", "elsewhere"])).toEqual({ windows: 3, seen: 2 });
  expect(of([])).toEqual({ windows: 3, seen: 0 });
  expect(of()).toEqual({ windows: 3, seen: null });
});
