import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { openModels } from "@/lib/model/chat/open";
import { settingsSchema } from "@/lib/model/chat/settings";
import { noSleep } from "@/lib/model/chat/testing/openai";
import { MARK } from "@/lib/model/policy/vocabulary";
import { REPLY, Scripted, serve, tokens, VOCABULARY } from "@/lib/model/serve/testing";
import { run, system, user } from "@/lib/profile/rules/steps.fixture";
import { ChatPolicy, chatOptions } from "./policy";

/** The server of `misstep serve-policy` behind the door that every other model goes through. */
async function policyOf(sampler: Scripted) {
  const baseUrl = await serve(sampler);
  const db = openMemoryDb();
  const settings = settingsSchema.parse({
    endpoints: [{ name: "tiny", kind: "openai", baseUrl }],
    models: [{ name: "tiny", endpoint: "tiny", id: "test-policy" }],
  });
  const model = openModels(db, { settings, sleep: noSleep }).model("tiny");
  const options = { ...chatOptions.parse({ model: "tiny" }), temperature: 1, topP: 1 };
  const environment = { id: 1, name: "e", family: null, seed: null, instruction: "look at it" };
  const session = new ChatPolicy(1, "tiny", model, options).open({ environment, number: 1, seed: 5 });
  const before = [system("Exactly one command."), user("look at it")];
  return {
    db,
    propose: (...steps: ReturnType<typeof run>[]) => session.propose({ environment, steps: [...before, ...steps] }),
  };
}

test("the embedded policy over HTTP is a chat policy: its calls are commands, its own turns go back as it wrote them", async () => {
  const sampler = new Scripted([REPLY]);
  const { db, propose } = await policyOf(sampler);
  const first = await propose();
  expect(first).toMatchObject({
    message: "look at it",
    command: "cat file",
    formatError: null,
    usage: { completionTokens: 7 },
  });
  const done = run("cat file", "done\n\n(exit_code=0)", 0, { message: "look at it" });
  expect(await propose(done)).toMatchObject({ command: "cat file" });
  // The sampler is asked with what an embedded rollout would show it: thought, command, output; no system message.
  const seen = VOCABULARY.decode(
    sampler.requests[1]?.prompt.filter((id) => !new Set<number>(Object.values(MARK)).has(id)) ?? [],
  );
  expect(seen).toBe("look at itlook at itcat filedone");
  const rows = db.$client.prepare("select role, status, prompt_version from usage").all();
  expect(rows).toEqual([1, 2].map(() => ({ role: "policy", status: "done", prompt_version: null })));
});

test("a reply without a call is a step without a command, and a chat that no longer fits ends the rollout", async () => {
  const { propose } = await policyOf(new Scripted([[...tokens("done"), MARK.end], REPLY]));
  expect(await propose()).toMatchObject({
    command: null,
    message: "done",
    formatError: expect.stringContaining("calls no tool"),
  });
  const long = run("cat file", "done ".repeat(80), 0, { message: "look at it" });
  expect(await propose(long)).toBe("context");
});
