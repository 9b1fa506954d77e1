import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { initWeights, nested, orderedWeights, PolicyShapeError, parameterSpecs } from "./parameters";
import type { PolicyConfig, Weight } from "./types";
import { encodeWeights, readWeights, WeightsFileError, writeWeights } from "./weights";

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-weights-"));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));
const CONFIG: PolicyConfig = { vocab: 7, dim: 4, layers: 2, heads: 2, hidden: 6, context: 5 };

const odd = Float32Array.of(0, -0, 1e-45, 3.4e38, Number.NEGATIVE_INFINITY, -1.5);
const WEIGHTS: Weight[] = [
  { name: "b", shape: [2, 3], data: odd },
  { name: "a", shape: [], data: Float32Array.of(7) },
  { name: "empty", shape: [0, 3], data: new Float32Array(0) },
];

it("reads what it wrote: bits, shapes, order and strings", async () => {
  const file = path.join(dir, "one.safetensors");
  const metadata = { card: 'a "card"\nwith ünicode', step: "12" };
  writeWeights(file, WEIGHTS, metadata);
  const read = await readWeights(file);
  expect(read.metadata).toEqual(metadata);
  expect(read.weights.map(({ name, shape }) => [name, shape])).toEqual(WEIGHTS.map(({ name, shape }) => [name, shape]));
  for (const [k, { data }] of WEIGHTS.entries())
    expect(Buffer.from(Uint32Array.from(new Uint32Array(read.weights[k]!.data.slice().buffer)).buffer)).toEqual(
      Buffer.from(Uint32Array.from(new Uint32Array(data.slice().buffer)).buffer),
    );
  expect(fs.readdirSync(dir)).toEqual(["one.safetensors"]);
});

it("lays bytes out as the format says", () => {
  const bytes = encodeWeights([{ name: "x", shape: [2], data: Float32Array.of(1, 2) }], { k: "v" });
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  expect((8 + length) % 8).toBe(0);
  expect(JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString())).toEqual({
    __metadata__: { k: "v" },
    x: { dtype: "F32", shape: [2], data_offsets: [0, 8] },
  });
  expect(new Float32Array(bytes.slice(8 + length).buffer)).toEqual(Float32Array.of(1, 2));
});

it("leaves the old file when the new one cannot be made", async () => {
  const file = path.join(dir, "kept.safetensors");
  writeWeights(file, WEIGHTS, { which: "old" });
  const wrong = [{ name: "x", shape: [3], data: Float32Array.of(1) }];
  expect(() => writeWeights(file, wrong)).toThrow(RangeError);
  expect(() => writeWeights(file, [WEIGHTS[1]!, WEIGHTS[1]!])).toThrow(/same name/);
  expect((await readWeights(file)).metadata).toEqual({ which: "old" });
  const folder = path.join(dir, "folder.safetensors");
  fs.mkdirSync(path.join(folder, "in the way"), { recursive: true });
  expect(() => writeWeights(folder, WEIGHTS)).toThrow();
  expect(fs.readdirSync(dir).filter((name) => name.includes("partial"))).toEqual([]);
});

describe("a broken file is named with its fault", () => {
  const good = encodeWeights([{ name: "x", shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) }], { k: "v" });
  const withHeader = (json: string, data: Uint8Array) => {
    const header = Buffer.from(json.padEnd(Math.ceil(json.length / 8) * 8));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(header.length));
    return Buffer.concat([size, header, data]);
  };
  const tensor = (rest: object) => JSON.stringify({ x: { dtype: "F32", shape: [2], data_offsets: [0, 8], ...rest } });
  const cases: [string, Uint8Array | null, RegExp][] = [
    ["missing", null, /no such file/],
    ["empty", new Uint8Array(0), /too short/i],
    ["cut in its numbers", good.slice(0, good.length - 4), /no safetensors file/],
    ["cut in its header", good.slice(0, 20), /header/i],
    ["text", Buffer.from("this is not a file of weights at all"), /header/i],
    ["with bytes left over", Buffer.concat([good, Buffer.alloc(4)]), /4 bytes after/],
    ["of another element type", withHeader(tensor({ dtype: "I32" }), Buffer.alloc(8)), /"x" is I32, not F32/],
    [
      "of a shape that does not fit",
      withHeader(tensor({ shape: [3] }), Buffer.alloc(8)),
      /2 numbers for a shape of \[3\]/,
    ],
    ["with a hole", withHeader(tensor({ data_offsets: [4, 12] }), Buffer.alloc(12)), /begins at byte/],
  ];
  it.each(cases)("%s", async (name, bytes, fault) => {
    const file = path.join(dir, `${name}.safetensors`);
    if (bytes) fs.writeFileSync(file, bytes);
    const error = await readWeights(file).catch((e) => e);
    expect(error).toBeInstanceOf(WeightsFileError);
    expect(error.file).toBe(file);
    expect(error.message).toContain(file);
    expect(error.fault).toMatch(fault);
  });
});

describe("parameters", () => {
  it("start from their seed alone", async () => {
    const [one, again, other] = [
      await initWeights(CONFIG, 5),
      await initWeights(CONFIG, 5),
      await initWeights(CONFIG, 6),
    ];
    expect(again).toEqual(one);
    expect(other.find((w) => w.name === "tok")!.data).not.toEqual(one.find((w) => w.name === "tok")!.data);
    expect(one.map(({ name, shape }) => ({ name, shape }))).toEqual(
      parameterSpecs(CONFIG).map(({ name, shape }) => ({ name, shape })),
    );
    expect(new Set(one.find((w) => w.name === "norm")!.data)).toEqual(new Set([1]));
  });

  it("are put in order, or the one that does not fit is named", async () => {
    const weights = await initWeights(CONFIG, 5);
    expect(orderedWeights(CONFIG, weights.toReversed())).toEqual(weights);
    expect(() => orderedWeights(CONFIG, weights.slice(1))).toThrow(/no weight "tok"/);
    expect(() => orderedWeights(CONFIG, [...weights, { name: "bias", shape: [1], data: Float32Array.of(0) }])).toThrow(
      /"bias"/,
    );
    expect(() => orderedWeights({ ...CONFIG, hidden: 7 }, weights)).toThrow(/"blocks.0.up" is \[4, 6\]/);
    expect(() => parameterSpecs({ ...CONFIG, heads: 3 })).toThrow(PolicyShapeError);
    expect(() => nested(CONFIG, [1, 2])).toThrow(PolicyShapeError);
  });
});
