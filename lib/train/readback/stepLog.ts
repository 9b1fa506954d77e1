import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { linesFrom, textBetween } from "./lines";

const key = z.object({ kind: z.string(), episode: z.number() });
const begin = z.object({ prefix: z.number().nullish(), task: z.string().nullish(), at: z.number().nullish() });
const step = z.object({
  command: z.string().nullable(),
  output: z.string().nullable(),
  exit_code: z.number().nullish(),
  call: z.string().nullish(),
  ms: z.number().nullish(),
});
const end = z.object({
  ended: z.string(),
  verdict: z.string().nullish(),
  verdict_reason: z.string().nullish(),
  left_out: z.string().nullish(),
  tests: z.string().nullish(),
  at: z.number().nullish(),
});

export type LoggedStep = z.infer<typeof step>;

/** A rollout as our environment package wrote it down. Times in seconds. */
export interface Episode {
  begin: z.infer<typeof begin> | null;
  steps: LoggedStep[];
  end: z.infer<typeof end> | null;
}

interface Place {
  file: string;
  start: number;
  end: number;
}

/**
 * The step log of a folder: texts stay on disk, only where each rollout's lines are is kept. What cannot be read of it is
 * left out; the rollouts then have no text.
 */
export class StepLogs {
  private readonly read = new Map<string, number>();
  private readonly places = new Map<number, Place[]>();

  constructor(private readonly folder: string) {}

  /** Takes in what was written since. */
  refresh(): void {
    if (!fs.existsSync(this.folder)) return;
    for (const name of fs.readdirSync(this.folder).sort()) {
      if (!/^steps-.*\.jsonl$/.test(name)) continue;
      const file = path.join(this.folder, name);
      for (const line of linesFrom(file, this.read.get(file) ?? 0)) {
        this.read.set(file, line.end);
        // The keys come first in every line: the texts need not be parsed to know whose it is.
        const found = /^\{"kind": "\w+", "episode": (\d+)[,}]/.exec(line.text);
        if (!found) continue;
        const episode = Number(found[1]);
        const places = this.places.get(episode) ?? [];
        places.push({ file, start: line.start, end: line.end });
        this.places.set(episode, places);
      }
    }
  }

  /** The lines of a rollout, or null when there are none. */
  episode(id: number): Episode | null {
    const places = this.places.get(id);
    if (!places) return null;
    const found: Episode = { begin: null, steps: [], end: null };
    for (const { file, start, end: to } of places) {
      let value: unknown;
      try {
        value = JSON.parse(textBetween(file, start, to));
      } catch {
        continue;
      }
      const kind = key.safeParse(value).data?.kind;
      if (kind === "begin") found.begin = begin.safeParse(value).data ?? null;
      else if (kind === "end") found.end = end.safeParse(value).data ?? null;
      else if (kind === "step") {
        const read = step.safeParse(value);
        if (read.success) found.steps.push(read.data);
      }
    }
    return found;
  }
}
