import "server-only";
import fs from "node:fs";
import path from "node:path";
import { randomOf } from "@/lib/environment/suite/draw";
import { SUITE_VERSION } from "@/lib/environment/suite/generate";
import { Ground } from "@/lib/environment/suite/ground";
import { environmentAt } from "@/lib/environment/suite/splits";
import type { SandboxHost } from "@/lib/sandbox/types";
import { type Demonstration, runDemonstration } from "./demonstration";
import type { PretrainSettings } from "./settings";

/** Demonstrations a file: what a killed run may have to make again. */
export const CHUNK = 50;
/** Sandboxes at a time. */
const LANES = 8;

export const chunksOf = (settings: PretrainSettings): number => Math.ceil(settings.demonstrations / CHUNK);

const fileOf = (folder: string, chunk: number) =>
  path.join(folder, "demonstrations", `${String(chunk).padStart(5, "0")}.jsonl`);

function readChunk(file: string): Demonstration[] {
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Demonstration);
}

/**
 * Runs the demonstrations of one chunk in sandboxes and writes them down, whole or not at all; a chunk that is there is
 * only read. The n-th depends only on the settings and n. Throws SandboxFailure; `signal` ends it between two.
 */
export async function makeDemonstrations(
  connect: () => Promise<SandboxHost>,
  settings: PretrainSettings,
  chunk: number,
  folder: string,
  signal: AbortSignal,
): Promise<Demonstration[]> {
  const file = fileOf(folder, chunk);
  if (fs.existsSync(file)) return readChunk(file);
  const host = await connect();
  try {
    const all = await runChunk(host, settings, chunk, signal);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(`${file}.part`, all.map((one) => `${JSON.stringify(one)}\n`).join(""));
    fs.renameSync(`${file}.part`, file);
    return all;
  } finally {
    await host.close();
  }
}

async function runChunk(
  host: SandboxHost,
  settings: PretrainSettings,
  chunk: number,
  signal: AbortSignal,
): Promise<Demonstration[]> {
  const last = Math.min((chunk + 1) * CHUNK, settings.demonstrations);
  const all: Demonstration[] = [];
  let next = chunk * CHUNK;
  const lane = async () => {
    const ground = new Ground(host);
    try {
      while (next < last) {
        signal.throwIfAborted();
        const n = next++;
        const which = environmentAt("pretrain", n);
        const key = `misstep demonstration ${SUITE_VERSION}\0${settings.seed}\0${which.family}\0${which.seed}`;
        all[n - chunk * CHUNK] = await runDemonstration(ground, which, settings.mix, randomOf(key));
      }
    } finally {
      await ground.close();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return all;
}

/** All demonstrations in their order. Throws when a chunk is missing. */
export function readDemonstrations(folder: string, settings: PretrainSettings): Demonstration[] {
  return Array.from({ length: chunksOf(settings) }, (_, chunk) => readChunk(fileOf(folder, chunk))).flat();
}
