import { expect, test } from "vitest";
import { settingsSchema } from "@/lib/model/chat/settings";
import { policySpec } from "@/lib/profile/roles/registry";
import { knownAs, servedSettings } from "./servePolicy";

const url = "http://127.0.0.1:3738/v1";

test("what serve-policy prints is a whole settings file, and its model can be a policy", () => {
  const settings = settingsSchema.parse(servedSettings("tiny-base", url));
  const [model] = settings.models;
  expect(model).toMatchObject({ id: "tiny-base", endpoint: settings.endpoints[0]?.name });
  expect(policySpec(`chat:${model?.name}`)).toMatchObject({ use: "chat", options: { model: model?.name } });
});

test("settings that have the model under another name are not added to", () => {
  const settings = settingsSchema.parse({
    endpoints: [{ name: "here", kind: "openai", baseUrl: url }],
    models: [{ name: "mine", endpoint: "here", id: "tiny-base" }],
  });
  expect(knownAs(settings, "tiny-base", url)).toBe("mine");
  expect(knownAs(settings, "tiny-base", "http://127.0.0.1:3739/v1")).toBeNull();
  expect(knownAs(settings, "other", url)).toBeNull();
});
