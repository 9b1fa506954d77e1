import { expect, test } from "vitest";
import { withPreset } from "./presets";
import { profileSettings } from "./settings";

const settings = (over: object) =>
  profileSettings.parse(
    withPreset({
      environments: { suite: "tiny", count: 1 },
      policy: { use: "chat", options: { model: "m" } },
      ...over,
    }),
  );

test("a preset fills in what was not given, and is stored with the profile", () => {
  expect(settings({ preset: "training" })).toMatchObject({
    preset: "training",
    temperature: 1,
    testsAtLimit: false,
    formatErrorsInARow: 0,
  });
  expect(settings({ preset: "evaluation" })).toMatchObject({
    temperature: 0.7,
    topP: 0.95,
    testsAtLimit: true,
    formatErrorsInARow: 64,
  });
  expect(settings({ preset: "evaluation", temperature: 0, testsAtLimit: undefined })).toMatchObject({
    temperature: 0,
    topP: 0.95,
    testsAtLimit: true,
  });
  // Without one, everything is as it was before there were presets.
  expect(settings({})).toMatchObject({ preset: null, temperature: 1, testsAtLimit: true, formatErrorsInARow: null });
});

test("a localizer stands beside another one, once", () => {
  const model = { use: "model", options: { model: "m" } };
  expect(settings({ alongside: [model] }).alongside).toEqual([model]);
  expect(() => settings({ alongside: ["rules"] })).toThrow(/twice/);
  expect(() => settings({ localizer: model, alongside: [model] })).toThrow(/twice/);
  expect(() => settings({ mode: "plain", localizer: null, alongside: [model] })).toThrow(/stands beside/);
});
