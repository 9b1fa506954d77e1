import { beforeEach, expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { people } from "@/db/queries/people";
import { type Actor, NotAllowed } from "./actor";
import { addPerson } from "./add";
import { nameSchema } from "./name";

const cli: Actor = { personId: null, name: "cli", role: "admin" };
let db: ReturnType<typeof openMemoryDb>;
beforeEach(() => {
  db = openMemoryDb();
});
const audits = () => db.$client.prepare("select actor, verb, subject from audit order by id").all();

test("the first person is admin, later ones annotators, unless a role is given; each leaves an audit row", () => {
  for (const wanted of [{ name: "Ada" }, { name: "Bo" }, { name: "Cy", role: "viewer" as const }])
    addPerson(db, cli, wanted);
  expect(people(db).map((p) => [p.name, p.role])).toEqual([
    ["Ada", "admin"],
    ["Bo", "annotator"],
    ["Cy", "viewer"],
  ]);
  expect(audits()).toEqual([1, 2, 3].map((id) => ({ actor: "cli", verb: "add", subject: `person:${id}` })));
});

test("a name is somebody's in any case, and only an admin adds people", () => {
  addPerson(db, cli, { name: "Äda" });
  expect(() => addPerson(db, cli, { name: "äDA" })).toThrow(/already/);
  expect(() => addPerson(db, { ...cli, role: "annotator" }, { name: "Bo" })).toThrow(NotAllowed);
  expect(people(db)).toHaveLength(1);
  expect(audits()).toHaveLength(1);
});

test("names are one visible line", () => {
  expect(nameSchema.parse("  Ada \u00a0 Lovelace ")).toBe("Ada Lovelace");
  for (const bad of ["", "   ", "a\u0000b", "a\u202eb", "x".repeat(61)])
    expect(nameSchema.safeParse(bad).success).toBe(false);
});
