/**
 * The one place that loads the numeric packages. They are native or large, so nothing imports them statically: the web
 * server's bundle must not contain them, and a command that needs no policy must not pay for them.
 */
import type * as JaxModule from "@jax-js/jax";
import type * as OnnxProtoModule from "onnx-proto";
import type * as OrtModule from "onnxruntime-node";

/** `@jax-js/jax`: tracing, automatic differentiation, and execution in WebAssembly. */
export type Jax = typeof JaxModule;
/** `onnxruntime-node`: native execution of ONNX graphs on the CPU. */
export type Ort = typeof OrtModule;
/** The message types of ONNX. */
export type OnnxProto = typeof OnnxProtoModule.onnx;

/** onnxruntime has no library for this platform, or it is not installed. The wasm backend works without it. */
export class OnnxRuntimeMissing extends Error {
  constructor(cause: unknown) {
    super(
      `onnxruntime-node does not load on ${process.platform}-${process.arch}: ${cause instanceof Error ? cause.message : String(cause)}. The backend "wasm" runs without it, several times slower.`,
      { cause },
    );
    this.name = "OnnxRuntimeMissing";
  }
}

let jax: Promise<Jax> | null = null;
let ort: Promise<Ort> | null = null;

/** jax-js with its WebAssembly device ready and chosen. */
export function loadJax(): Promise<Jax> {
  jax ??= (async () => {
    const module = await import("@jax-js/jax");
    // Without a device named it asks for WebGPU, which throws where there is no `navigator`.
    await module.init("wasm");
    module.defaultDevice("wasm");
    return module;
  })();
  return jax;
}

/** Rejects with OnnxRuntimeMissing where the native library cannot be loaded. */
export function loadOnnxRuntime(): Promise<Ort> {
  ort ??= import("onnxruntime-node").then(
    (module) => (module as Ort & { default?: Ort }).default ?? module,
    (cause) => {
      throw new OnnxRuntimeMissing(cause);
    },
  );
  return ort;
}

/** Encoder of ONNX files. */
export async function loadOnnxProto(): Promise<OnnxProto> {
  const module = (await import("onnx-proto")) as typeof OnnxProtoModule & { default?: typeof OnnxProtoModule };
  return (module.default ?? module).onnx;
}
