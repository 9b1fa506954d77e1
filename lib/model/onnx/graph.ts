import type { OnnxProto } from "./load";
import { type Shape, sameShape } from "./shape";

/** Element types that occur; names as jax-js and onnxruntime write them. */
export type Dtype = "float32" | "int32" | "bool";

/** Shape and element type of an input or output. */
export interface Spec {
  shape: number[];
  dtype: Dtype;
}

/** Codes of TensorProto.DataType. */
const CODES = { float32: 1, int32: 6, int64: 7, bool: 9 } as const;
const IR_VERSION = 8;
/** First opset where ReduceSum takes its axes as input, and before the other reductions do. */
const OPSET = 17;

type Attribute = number | readonly number[];
type Node = InstanceType<OnnxProto["NodeProto"]>;
type Initializer = InstanceType<OnnxProto["TensorProto"]>;

/** Collects nodes and constants of one ONNX graph. Tensors are known by name. */
export class GraphBuilder {
  private readonly nodes: Node[] = [];
  private readonly initializers: Initializer[] = [];
  private readonly shared = new Map<string, string>();
  private names = 0;

  constructor(private readonly onnx: OnnxProto) {}

  /** A node of one output; its name. */
  op(type: string, inputs: string[], attributes: Record<string, Attribute> = {}): string {
    const output = `t${this.names++}`;
    this.nodes.push(
      this.onnx.NodeProto.create({
        opType: type,
        input: inputs,
        output: [output],
        attribute: Object.entries(attributes).map(([name, value]) =>
          this.onnx.AttributeProto.create(
            typeof value === "number" ? { name, type: 2, i: value } : { name, type: 7, ints: [...value] },
          ),
        ),
      }),
    );
    return output;
  }

  /** Nothing when the shape is the same. */
  reshape(name: string, from: Shape, to: Shape): string {
    return sameShape(from, to) ? name : this.op("Reshape", [name, this.indices(to)]);
  }

  /** Nothing when the order is the same. */
  transpose(name: string, perm: readonly number[]): string {
    return perm.every((axis, i) => axis === i) ? name : this.op("Transpose", [name], { perm });
  }

  cast(name: string, to: Dtype): string {
    return this.op("Cast", [name], { to: CODES[to] });
  }

  /** A constant of axes, extents or bounds. */
  indices(values: readonly number[]): string {
    return this.once(`i${values.join()}`, () =>
      this.constant(BigInt64Array.from(values.map(BigInt)), [values.length], "int64"),
    );
  }

  /** A scalar constant. */
  scalar(value: number, dtype: Dtype): string {
    return this.once(`${dtype}${Object.is(value, -0) ? "-0" : value}`, () =>
      this.constant(dtype === "float32" ? Float32Array.of(value) : integers([value], dtype), [], dtype),
    );
  }

  /** The numbers 0 … n-1 as int32. */
  range(n: number): string {
    return this.once(`r${n}`, () =>
      this.constant(
        Int32Array.from({ length: n }, (_, i) => i),
        [n],
        "int32",
      ),
    );
  }

  constant(data: ArrayBufferView, shape: Shape, dtype: Dtype | "int64"): string {
    const name = `k${this.names++}`;
    this.initializers.push(
      this.onnx.TensorProto.create({
        name,
        dims: [...shape],
        dataType: CODES[dtype],
        rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice(),
      }),
    );
    return name;
  }

  private once(key: string, make: () => string): string {
    const name = this.shared.get(key) ?? make();
    this.shared.set(key, name);
    return name;
  }

  /** The file; nodes that no output needs are left out. */
  encode(inputs: (Spec & { name: string })[], outputs: (Spec & { name: string; from: string })[]): Uint8Array {
    const ends = outputs.map(({ name, from }) =>
      this.onnx.NodeProto.create({ opType: "Identity", input: [from], output: [name] }),
    );
    const needed = new Set(outputs.map((o) => o.from));
    const kept: Node[] = [];
    for (const node of this.nodes.toReversed()) {
      if (!node.output.some((name) => needed.has(name))) continue;
      kept.push(node);
      for (const name of node.input) needed.add(name);
    }
    const model = this.onnx.ModelProto.create({
      irVersion: IR_VERSION,
      opsetImport: [{ domain: "", version: OPSET }],
      graph: {
        name: "misstep",
        node: [...kept.reverse(), ...ends],
        initializer: this.initializers.filter((tensor) => needed.has(tensor.name)),
        input: inputs.map(valueInfo),
        output: outputs.map(valueInfo),
      },
    });
    return this.onnx.ModelProto.encode(model).finish();
  }
}

function integers(values: number[], dtype: "int32" | "bool"): ArrayBufferView {
  return dtype === "int32" ? Int32Array.from(values) : Uint8Array.from(values, (v) => (v ? 1 : 0));
}

function valueInfo({ name, shape, dtype }: Spec & { name: string }) {
  const dim = shape.map((extent) => ({ dimValue: extent }));
  return { name, type: { tensorType: { elemType: CODES[dtype], shape: { dim } } } };
}
