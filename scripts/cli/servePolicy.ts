import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Command, InvalidArgumentError } from "commander";
import { type ModelSettings, readSettings, settingsFile } from "@/lib/model/chat/settings";
import { usableBackend } from "@/lib/model/onnx/compile";
import { BASE_CHECKPOINT, loadCheckpoint } from "@/lib/model/policy/checkpoint";
import { createSampler } from "@/lib/model/policy/sampler";
import { policyServer, SERVE_HOST } from "@/lib/model/serve/server";

interface ServeOptions {
  name: string;
  port: number;
  slots: number;
  threads: number;
}

const integer = (least: number, most: number) => (text: string) => {
  const n = Number(text);
  if (!Number.isInteger(n) || n < least || n > most)
    throw new InvalidArgumentError(`a whole number from ${least} to ${most}`);
  return n;
};

/** The part of models.json by which the served checkpoint is a model: a whole file of it, where there is none yet. */
export const servedSettings = (checkpoint: string, baseUrl: string) => ({
  endpoints: [{ name: "serve-policy", kind: "openai" as const, baseUrl }],
  models: [{ name: `served-${checkpoint}`, endpoint: "serve-policy", id: checkpoint }],
});

/** Name of a model of the settings that already is this checkpoint at this address; null when there is none. */
export function knownAs({ endpoints, models }: ModelSettings, checkpoint: string, baseUrl: string): string | null {
  const here = new Set(endpoints.filter((e) => e.kind === "openai" && e.baseUrl === baseUrl).map((e) => e.name));
  return models.find((m) => m.id === checkpoint && here.has(m.endpoint))?.name ?? null;
}

/** What to do with the address, for people. */
function guidance(checkpoint: string, baseUrl: string): string[] {
  const added = servedSettings(checkpoint, baseUrl);
  const known = knownAs(readSettings(), checkpoint, baseUrl);
  const model = known ?? added.models[0]?.name;
  return [
    ...(known === null
      ? [
          `put these two into ${settingsFile()} (they are the whole file, where there is none yet), or enter them in the browser under Settings, Models:`,
          JSON.stringify(added, null, 2),
        ]
      : [`the settings know it as the model ${known}`]),
    "then, in another terminal:",
    `  npm run -s misstep -- models test ${model}`,
    `  npm run -s misstep -- profile --policy chat:${model} --preset training`,
  ];
}

/** misstep serve-policy */
export function servePolicyCommand(): Command {
  return new Command("serve-policy")
    .description("serve a checkpoint of the embedded policy as an OpenAI-compatible endpoint on this machine")
    .option("--name <checkpoint>", "the checkpoint", BASE_CHECKPOINT)
    .option("--port <n>", "port; 0 takes a free one", integer(0, 65_535), 3738)
    .option("--slots <n>", "replies written at once; more wait", integer(1, 512), 16)
    .option("--threads <n>", "threads of one operation", integer(1, 64), 1)
    .action(async ({ name, port, slots, threads }: ServeOptions) => {
      const say = (text: string) => process.stderr.write(`misstep: ${text}\n`);
      const checkpoint = await loadCheckpoint(name);
      const { backend, reason } = await usableBackend();
      if (reason !== null) say(reason);
      const sampler = await createSampler(checkpoint.weights, checkpoint.config, { slots, threads, backend });
      const onError = (error: unknown) => say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      const server = policyServer({ checkpoint, sampler, onError });
      server.listen(port, SERVE_HOST);
      await once(server, "listening");
      const bound = (server.address() as AddressInfo).port;
      process.stdout.write(`http://${SERVE_HOST}:${bound}/v1\n`);
      say(`serving ${name} with ${slots} slots; Ctrl-C ends it`);
      for (const line of guidance(name, `http://${SERVE_HOST}:${bound}/v1`)) process.stderr.write(`${line}\n`);
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
      server.close();
      server.closeAllConnections();
      await sampler.close();
    });
}
