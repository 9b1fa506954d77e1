import { expect, it } from "vitest";
import { dropEndpoint, dropModel, putEndpoint, putModel, putRole } from "./edit";
import { checkSettings } from "./settings";

const NOW = checkSettings({
  endpoints: [
    { name: "one", kind: "openai", baseUrl: "http://a/v1" },
    { name: "two", kind: "google", baseUrl: "http://b/v1beta" },
  ],
  models: [{ name: "m", endpoint: "one", id: "x" }],
  roles: { teacher: { model: "m" }, policy: { model: "m", temperature: 0.9 } },
});

it("a rename follows through to what uses the name, and keeps the place in the list", () => {
  const renamed = checkSettings(putEndpoint(NOW, "one", { name: "uno", kind: "openai", baseUrl: "http://c/v1" }));
  expect(renamed.endpoints.map((e) => [e.name, e.baseUrl])).toEqual([
    ["uno", "http://c/v1"],
    ["two", "http://b/v1beta"],
  ]);
  expect(renamed.models[0]?.endpoint).toBe("uno");
  const model = checkSettings(putModel(NOW, "m", { name: "n", endpoint: "two", id: "y" }));
  expect(model.models).toMatchObject([{ name: "n", endpoint: "two" }]);
  expect(model.roles).toEqual({ teacher: { model: "n" }, policy: { model: "n", temperature: 0.9 } });
});

it("a new entry with a name that is there is refused, not written over it", () => {
  expect(() => checkSettings(putEndpoint(NOW, null, { name: "one", kind: "openai", baseUrl: "http://c/v1" }))).toThrow(
    /"one" is there twice/,
  );
});

it("what is used cannot be removed, and the refusal says by whom", () => {
  expect(() => dropEndpoint(NOW, "one")).toThrow(/endpoint "one" is used by model "m"/);
  expect(() => dropModel(NOW, "m")).toThrow(/model "m" is used by role teacher, role policy/);
  expect(checkSettings(dropEndpoint(NOW, "two")).endpoints.map((e) => e.name)).toEqual(["one"]);
  const free = checkSettings(putRole(checkSettings(putRole(NOW, "teacher", null)), "policy", null));
  expect(checkSettings(dropModel(free, "m")).models).toEqual([]);
});
