import { describe, expect, it } from "vitest";
import { expertFromStart, hexHead } from "./catalogue";
import { FAMILIES, generate } from "./generate";

describe("catalogue of the suite", () => {
  it("has the drawn instruction among its wordings, which differ", () => {
    for (const { name } of FAMILIES) {
      const { instance, wordings } = generate(name, 3);
      expect(wordings).toContain(instance.instruction);
      expect(new Set(wordings).size).toBe(wordings.length);
      expect(wordings.length).toBeGreaterThan(1);
    }
  });

  it("names a command for every stage of the expert, from the start, in any drawn example", () => {
    for (const { name } of FAMILIES)
      for (let seed = 0; seed < 5; seed++)
        for (const { stage, moves } of expertFromStart(generate(name, seed))) {
          expect(moves.length, `${name} ${stage}`).toBeGreaterThan(0);
          expect(moves.every((move) => move.command !== null)).toBe(true);
        }
  });

  it("dumps bytes with their places, cut at the asked rows", () => {
    expect(hexHead(Buffer.from([0x1f, 0x8b, 0x41]), 4)).toBe(`00000000  1f 8b 41${" ".repeat(39)}  ..A`);
    expect(hexHead(Buffer.alloc(40), 2).split("\n")).toHaveLength(2);
  });
});
