import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { labelsOfPeople } from "./export";

test("an export says how many labels of people it carries, and how many answers it leaves out", () => {
  const db = openMemoryDb();
  db.$client.pragma("foreign_keys = off");
  db.$client.exec(`insert into localizer (id, kind, name, version) values (1, 'dataset', 'd', '1'), (2, 'rule', 'rules', '1'), (3, 'person', 'people', '1');
    insert into localization (step_id, localizer_id, verdict, current) values
      (${SPAN}, 1, 'bad', 1), (${SPAN}, 1, 'bad', 0), (${SPAN}, 2, 'bad', 1), (${SPAN}, 3, 'bad', 1), (${2 * SPAN}, 1, 'bad', 1);
    insert into review_queue (id, name, question, raters, settings) values (1, 'q', 'wrong', 1, '{}'), (2, 'w', 'window', 1, '{}');
    insert into review_item (id, queue_id, position, subject_id) values (1, 1, 1, ${SPAN + 3}), (2, 1, 2, ${2 * SPAN}), (3, 2, 1, ${SPAN + 3});
    insert into review_answer (item_id, person_id, verdict, current) values (1, 1, 'bad', 1), (1, 2, 'good', 1), (1, 1, 'good', 0), (2, 1, 'bad', 1), (3, 1, 'yes', 1);`);
  expect(labelsOfPeople(db, [1])).toEqual({ carried: 1, leftOut: 2 });
  expect(labelsOfPeople(db, [1, 2])).toEqual({ carried: 2, leftOut: 3 });
  expect(labelsOfPeople(db, [3])).toEqual({ carried: 0, leftOut: 0 });
});
