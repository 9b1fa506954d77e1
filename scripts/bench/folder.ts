import fs from "node:fs";
import path from "node:path";
import { logWriter } from "./logs";
import { seeded } from "./random";
import { vocabulary, writer } from "./words";

/**
 * Writes a folder of made-up chat trajectories (JSON files) of about `bytes` in all. Returns the exact size. Outputs
 * dominate and repeat their line shapes, as in real rollouts: deflate makes the chunks of both about 4.5 times smaller.
 */
export function writeFolder(dir: string, bytes: number, seed: number): number {
  fs.mkdirSync(dir, { recursive: true });
  const random = seeded(seed);
  const words = vocabulary(20_000);
  const write = writer(random, words);
  const log = logWriter(random, words);
  let total = 0;
  for (let n = 0; total < bytes; n++) {
    const messages: unknown[] = [
      { role: "system", content: "You work in a terminal." },
      { role: "user", content: `Task ${n}: ${write.thought()}` },
    ];
    for (let i = 0; i < 40; i++) {
      const id = `call_${n}_${i}`;
      const size = Math.floor(400 + 6000 * random() ** 3);
      messages.push({
        role: "assistant",
        content: write.thought(),
        tool_calls: [
          { id, type: "function", function: { name: "bash", arguments: JSON.stringify({ command: write.command() }) } },
        ],
      });
      messages.push({
        role: "tool",
        tool_call_id: id,
        content: `${log(size)}\n\n(exit_code=${random() < 0.15 ? 1 : 0})`,
      });
    }
    const text = JSON.stringify(messages);
    fs.writeFileSync(path.join(dir, `run-${String(n).padStart(6, "0")}.json`), text);
    total += Buffer.byteLength(text);
  }
  return total;
}
