import { expect, test } from "vitest";
import { digestOfGenerated, FAMILIES, generate } from "./generate";

test("the same family and seed give the same files, byte for byte, on every machine", () => {
  for (const { name } of FAMILIES)
    for (const seed of [0, 1, 77])
      expect(digestOfGenerated(generate(name, seed))).toBe(digestOfGenerated(generate(name, seed)));
  // One value fixed: another machine, or a change of the generator without a new SUITE_VERSION, would show here.
  expect(digestOfGenerated(generate("count", 7))).toBe(
    "b421417a4b5898079c2ae056cc626dac9f41de84139166768645cf6aa8ec19bc",
  );
});

test("seeds differ, hazards come in about half of them, and no file leaves the task directory", () => {
  for (const { name, hazards } of FAMILIES) {
    const drawn = Array.from({ length: 200 }, (_, seed) => generate(name, seed));
    expect(new Set(drawn.map(digestOfGenerated)).size).toBeGreaterThan(150);
    const share = drawn.filter((g) => g.instance.hazard !== null).length / drawn.length;
    expect(share, name).toBeGreaterThan(0.4);
    expect(share, name).toBeLessThan(0.75);
    for (const { instance, files } of drawn) {
      if (instance.hazard !== null) expect(Object.keys(hazards)).toContain(instance.hazard);
      for (const file of files) expect(file.path).toMatch(/^(?!.*\.\.)[a-z][\w./-]*$/);
      expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
    }
  }
});

test("a family or seed that is none is refused with what there is", () => {
  expect(() => generate("dance", 1)).toThrow(/no family "dance"; it has count, extract/);
  expect(() => generate("count", -1)).toThrow(/no seed/);
});
