import { expect, it, vi } from "vitest";
import { compile, usableBackend } from "./compile";
import { loadJax, OnnxRuntimeMissing } from "./load";

vi.mock("onnxruntime-node", () => {
  throw new Error("no library for this platform");
});

it("runs on wasm, and says why, where onnxruntime does not load", async () => {
  const { backend, reason } = await usableBackend();
  expect(backend).toBe("wasm");
  expect(reason).toMatch(/onnxruntime-node does not load on .*"wasm" runs without it/);
  const { numpy: np } = await loadJax();
  const double = (x: import("@jax-js/jax").Array) => x.mul(2);
  const native = compile(double, [np.zeros([2])], { backend: "onnxruntime", threads: 1 });
  await expect(native).rejects.toBeInstanceOf(OnnxRuntimeMissing);
  const program = await compile(double, [np.zeros([2])], { backend, threads: 1 });
  const [out] = await program.run([{ dtype: "float32", shape: [2], data: Float32Array.of(1, -3) }]);
  expect(Array.from(out?.data ?? [])).toEqual([2, -6]);
  await program.close();
});
