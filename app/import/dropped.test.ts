import { expect, test } from "vitest";
import { droppedTitle } from "./dropped";

const titled = (...paths: string[]) => droppedTitle(paths.map((path) => ({ path })));

test("a choice is called by the names at its top, not by where the server keeps it", () => {
  expect(titled("run.json")).toBe("run.json");
  expect(titled("job/a/trial.json", "job/b/trial.json")).toBe("job");
  expect(titled("a.json", "b.json", "c.json")).toBe("a.json, b.json, c.json");
  expect(titled("a.json", "b.json", "c.json", "d.json", "e/f.json")).toBe("a.json, b.json, c.json and 2 more");
});
