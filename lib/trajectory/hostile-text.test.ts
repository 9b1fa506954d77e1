import { describe, expect, it } from "vitest";
import { stepsFingerprint } from "./fingerprint";
import { SAMPLES } from "./samples";
import { importAll, importOne, put, scratch } from "./testing";
import type { Json } from "./types";

describe("texts that are hard to keep", () => {
  const odd = [
    "\0",
    "a\ud800b",
    "\udc00",
    "\r\n\r",
    "\u001b]0;title\u0007",
    "\u202e",
    "\ufeff",
    "</output>",
    "x".repeat(1_000_000),
  ];

  it("are kept exactly", async () => {
    const messages = odd.flatMap((text) => [
      {
        role: "assistant",
        content: text,
        tool_calls: [
          { id: text, type: "function", function: { name: "bash", arguments: JSON.stringify({ command: text }) } },
        ],
      },
      { role: "tool", tool_call_id: text, content: text },
    ]);
    const { trajectories } = await importOne({ messages });
    const steps = trajectories[0]!.steps;
    expect(steps.map((step) => step.message)).toEqual(odd);
    expect(steps.map((step) => step.call?.command)).toEqual(odd);
    expect(steps.map((step) => step.observations[0]?.content)).toEqual(odd);
  });

  it("500 levels of arguments come in, more than 1,000 are refused with a reason", async () => {
    const nested = (depth: number) =>
      `[{"role":"assistant","content":"x","tool_calls":[{"id":"a","function":{"name":"bash","arguments":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}}]}]`;
    expect((await importOne(nested(500))).trajectories).toHaveLength(1);
    expect((await importOne(nested(5000))).refused[0]?.reason).toContain("1000 levels");
    expect((await importOne(nested(100_000))).refused[0]?.reason).toContain("1000 levels");
  });

  it("10,000 steps come in, in order", async () => {
    const messages = Array.from({ length: 10_000 }, (_, at) => [
      {
        role: "assistant",
        content: `${at}`,
        tool_calls: [{ id: "same", function: { name: "bash", arguments: { command: `echo ${at}` } } }],
      },
      { role: "tool", tool_call_id: "same", content: `${at}` },
    ]).flat();
    const { trajectories } = await importOne({ messages });
    expect(trajectories[0]!.steps.map((step) => step.observations[0]?.content)).toEqual(
      Array.from({ length: 10_000 }, (_, at) => `${at}`),
    );
  });

  it("bytes that are no UTF-8 are replaced, and the warning says how many", async () => {
    const bytes = Buffer.concat([
      Buffer.from('[{"role":"user","content":"a'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('b"},{"role":"assistant","content":"c"}]'),
    ]);
    const { trajectories } = await importOne(bytes);
    expect(trajectories[0]!.steps[0]!.message).toBe("a\ufffd\ufffdb");
    expect(trajectories[0]!.warnings[0]?.message).toContain("2 characters");
  });

  it("the wrong type in any field is never a crash", async () => {
    const wrong: Json[] = [null, 0, "x", [], {}, true, [null], { a: null }];
    for (const sample of Object.values(SAMPLES)) {
      const paths: (string | number)[][] = [];
      const walk = (value: Json, at: (string | number)[]) => {
        if (at.length > 0) paths.push(at);
        if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...at, index]);
        else if (value !== null && typeof value === "object")
          for (const [key, item] of Object.entries(value)) walk(item, [...at, key]);
      };
      walk(sample, []);
      const root = scratch();
      paths.forEach((at, index) => {
        const copy = structuredClone(sample) as never;
        let inner = copy as Record<string | number, Json>;
        for (const key of at.slice(0, -1)) inner = inner[key] as never;
        inner[at.at(-1)!] = wrong[index % wrong.length]!;
        put(root, `${index}.json`, copy);
      });
      const { refused, trajectories } = await importAll(root);
      expect(refused.filter((item) => item.reason.startsWith("reading failed"))).toEqual([]);
      for (const trajectory of trajectories) expect(stepsFingerprint(trajectory.steps)).toHaveLength(64);
    }
  });

  it("a Git LFS pointer is named as one", async () => {
    expect(
      (await importOne("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")).refused[0]?.hint,
    ).toContain("git lfs pull");
  });
});
