import { expect, it } from "vitest";
import { BASE_MIX, demonstrate } from "@/lib/environment/suite/demonstrate";
import { randomOf } from "@/lib/environment/suite/draw";
import { FAMILIES, generate } from "@/lib/environment/suite/generate";
import { piecesOf } from "@/lib/model/policy/pieces";
import { suiteVocabulary } from "./vocabulary";

const vocabulary = suiteVocabulary();

it("is the same each time, and about as large as the suite needs", () => {
  expect(suiteVocabulary().toJSON()).toEqual(vocabulary.toJSON());
  expect(vocabulary.size).toBeLessThan(1200);
});

it("has every word of tasks it was not made from, and of what is done in them", () => {
  for (const { name } of FAMILIES)
    for (let seed = 500_000; seed < 500_020; seed++) {
      const { instance } = generate(name, seed);
      const random = randomOf(`${name}${seed}`);
      const texts = [instance.instruction, ...instance.solution];
      for (const state of [new Set<string>(), new Set(["done"])])
        for (const past of [[], [{ command: instance.look[0]?.command ?? null, output: "x", ok: true }]]) {
          const { move } = demonstrate(instance, { past, state }, BASE_MIX, random);
          texts.push(move.thought, move.command ?? "");
        }
      for (const piece of texts.flatMap(piecesOf))
        if (piece.length > 1)
          expect(
            vocabulary.encode(piece).filter((id) => vocabulary.isByte(id) && vocabulary.show(id) !== " "),
            `${name} ${seed}: ${JSON.stringify(piece)}`,
          ).toEqual([]);
    }
});
