import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const INSTALL = "apt-get install -y --no-install-recommends python3-torch libopenblas0-pthread";
/** Debian's own interpreter first: its PyTorch is not seen by another one on the path. */
const PYTHONS = ["/usr/bin/python3", "python3"];

const run = promisify(execFile);

/** Freed memory stays with the process: else PyTorch spends most of a step in page faults where those are slow. */
const KEEP_MEMORY = {
  MALLOC_MMAP_THRESHOLD_: "4000000000",
  MALLOC_TRIM_THRESHOLD_: "8000000000",
  MALLOC_TOP_PAD_: "1000000000",
};

/** PyTorch with its library's own choice of kernels. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("OPENBLAS_"));
  return { ...Object.fromEntries(kept), ...KEEP_MEMORY, PYTHONDONTWRITEBYTECODE: "1" } as unknown as NodeJS.ProcessEnv;
}

/** An interpreter that has PyTorch; without one it says how to get it. */
export async function pythonWithTorch(part: string, say: (text: string) => void): Promise<string | null> {
  for (const python of PYTHONS) {
    const found = await run(python, ["-c", "import torch"], { env: environment() }).then(
      () => true,
      () => false,
    );
    if (found) return python;
  }
  say(`${part}: no PyTorch to compare with, so no ratios. On Debian: ${INSTALL}`);
  return null;
}

/** Runs a script of this folder with a JSON argument; what it prints is the seconds of each repetition. */
export async function torchSeconds(python: string, root: string, script: string, work: object): Promise<number[]> {
  const { stdout } = await run(python, [path.join(root, "scripts/bench", script), JSON.stringify(work)], {
    env: environment(),
  });
  return JSON.parse(stdout) as number[];
}
