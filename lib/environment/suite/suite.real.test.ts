import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putAnew } from "@/lib/environment/filesInside";
import { connectSandboxHost } from "@/lib/sandbox/client";
import { aboutBubblewrap, SPEC } from "@/lib/sandbox/testing";
import type { Sandbox, SandboxHost } from "@/lib/sandbox/types";
import { expertMove } from "./expert";
import { type Instance, type Move, type Past, SUBMIT } from "./family";
import { FAMILIES, type Generated, generate } from "./generate";

/** Seeds a family is tried with; more by MISSTEP_SUITE_SEEDS. */
const SEEDS = Number(process.env.MISSTEP_SUITE_SEEDS ?? 1);
const MOST_STEPS = 8;

let home: string;
let host: SandboxHost;

beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-suite-"));
  process.env.MISSTEP_HOME = home;
  host = await connectSandboxHost();
});
afterAll(async () => {
  await host?.close();
  fs.rmSync(home, { recursive: true, force: true });
});

async function open(generated: Generated): Promise<Sandbox> {
  const box = await host.create(SPEC);
  await putAnew(
    box,
    ["/app"],
    generated.instance.files.map(({ path: file, content, executable }) => ({
      kind: "file",
      path: `/app/${file}`,
      data: typeof content === "string" ? Buffer.from(content) : content,
      executable: executable ?? false,
    })),
  );
  if (generated.instance.start !== null) await box.exec(generated.instance.start);
  return box;
}

async function reward(box: Sandbox, generated: Generated): Promise<string> {
  const test = generated.files.find((file) => file.path === "tests/test.sh");
  const text = test?.content ?? "";
  const data = typeof text === "string" ? Buffer.from(text) : text;
  await putAnew(box, ["/tests", "/logs/verifier"], [{ kind: "file", path: "/tests/test.sh", data, executable: true }]);
  const { stdout } = await box.exec("bash /tests/test.sh; echo; cat /logs/verifier/reward.txt");
  const lines = stdout.trimEnd().split("\n");
  return lines.at(-1) === "1" ? "1" : `0: ${lines.slice(0, -1).join("; ")}`;
}

async function take(box: Sandbox, move: Move): Promise<Past> {
  const result = await box.exec(move.command ?? "true");
  return { command: move.command, output: result.observation, ok: result.exitCode === 0 };
}

/** Goes on as the expert until it submits. */
async function finish(box: Sandbox, instance: Instance, past: Past[], variant: number): Promise<Past[]> {
  while (past.length < MOST_STEPS + 4) {
    const state = new Set((await box.exec(`( cd /app; ${instance.probe} )`)).stdout.split(/\s+/));
    const move = expertMove(instance, { past, state }, variant);
    past.push(await take(box, move));
    if (move.command === SUBMIT) return past;
  }
  return past;
}

describe.skipIf(aboutBubblewrap)("the suite in real sandboxes", () => {
  for (const family of FAMILIES) {
    it(`${family.name}: doing nothing gets 0, solution and expert get 1, from the start and after every shortcut`, async () => {
      const lazy = { hazard: [0, 0], none: [0, 0] };
      for (let seed = 0; seed < SEEDS; seed++) {
        const generated = generate(family.name, seed);
        const { instance } = generated;
        const where = `${generated.name} (${instance.hazard ?? "no hazard"})`;
        const nothing = await open(generated);
        expect(await reward(nothing, generated), `${where}: nothing`).toMatch(/^0/);

        // In the same sandbox: the tests change nothing of what they look at.
        for (const command of instance.solution) await nothing.exec(command);
        expect(await reward(nothing, generated), `${where}: solution`).toBe("1");
        await nothing.dispose();

        const box = await open(generated);
        const past = await finish(box, instance, [], seed);
        const told = past.map((p) => `${p.ok ? "" : "! "}${p.command}`).join("\n");
        expect(await reward(box, generated), `${where}: expert\n${told}`).toBe("1");
        expect(past.at(-1)?.command, `${where}: submits\n${told}`).toBe(SUBMIT);
        expect(past.length, told).toBeLessThanOrEqual(MOST_STEPS);
        await box.dispose();

        for (const { move, slug } of instance.tempting) {
          const tempted = await open(generated);
          const first = await take(tempted, move);
          const got = (await reward(tempted, generated)) === "1";
          if (slug === null && move.command !== null) {
            const row = instance.hazard === null ? lazy.none : lazy.hazard;
            row[got ? 1 : 0] = (row[got ? 1 : 0] ?? 0) + 1;
          }
          const after = await finish(tempted, instance, [first], seed);
          const steps = after.map((p) => `${p.ok ? "" : "! "}${p.command}`).join("\n");
          expect(await reward(tempted, generated), `${where}: after ${move.command}\n${steps}`).toBe("1");
          await tempted.dispose();
        }
      }
      if (process.env.MISSTEP_SUITE_SEEDS)
        process.stdout.write(
          `${family.name}: shortcuts with hazard ${lazy.hazard.join("/")} without ${lazy.none.join("/")} (wrong/right)\n`,
        );
      expect(lazy.hazard[1], "a shortcut works where the hazard is").toBe(0);
    }, 600_000);
  }
});
