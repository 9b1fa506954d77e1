import { expect, test } from "vitest";
import { getErrorType } from "@/db/queries/misbehaviors";
import { rateByCheckpoint } from "@/db/queries/trend";
import { madeIndex, makeTrajectory } from "./testing";

test("a model whose error steps nobody looked at under a version has no rate; one without error steps has 0", () => {
  const db = madeIndex();
  makeTrajectory(db, [["make", "retry-same-cause"], ["ls"]], { model: "wrong" });
  makeTrajectory(db, [["cat x", "binary-as-text"], ["ls"]], { model: "otherwise" });
  makeTrajectory(db, [["ls"], ["pwd"]], { model: "right" });
  const rates = (type: { id: number; taxonomyId: number }) =>
    Object.fromEntries(rateByCheckpoint(db, type).map((r) => [r.model, r.errorSteps]));
  const builtin = getErrorType(db, "retry-same-cause");
  if (!builtin) throw new Error("the built-in types are missing");
  expect(rates(builtin)).toEqual({ wrong: 1, otherwise: 0, right: 0 });
  const taxonomyId = Number(
    db.$client.prepare("insert into taxonomy (name, version, origin) values ('own', 1, 'annotator')").run()
      .lastInsertRowid,
  );
  const id = Number(
    db.$client
      .prepare("insert into error_type (taxonomy_id, slug, name, definition, rank) values (?, 'own', 'Own', 'd', 0)")
      .run(taxonomyId).lastInsertRowid,
  );
  expect(rates({ id, taxonomyId })).toEqual({ wrong: null, otherwise: null, right: 0 });
  db.$client.close();
});
