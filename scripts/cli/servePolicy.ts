import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Command, InvalidArgumentError } from "commander";
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
      await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
      server.close();
      server.closeAllConnections();
      await sampler.close();
    });
}
