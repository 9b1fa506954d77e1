import "server-only";
import fs from "node:fs";
import path from "node:path";
import { entrypointScript } from "@/lib/environment/entrypoint";
import { fixTimes } from "@/lib/sandbox/tree";
import { DEFAULT_LIMITS, type Sandbox, SandboxFailure, type SandboxHost } from "@/lib/sandbox/types";
import type { Generated } from "./generate";

/** A sandbox of a generated environment that no index knows. */
export interface OpenGenerated {
  sandbox: Sandbox;
  /** The words that the family's probe prints in the present state. */
  state(): Promise<Set<string>>;
  /** The hidden tests on the present state: r_o, and what they printed. */
  test(): Promise<{ reward: 0 | 1; log: string }>;
  close(): Promise<void>;
}

const WORKDIR = "/app";

function writeLayer(root: string, generated: Generated): void {
  const put = (file: string, content: string | Buffer, mode: number) => {
    const full = path.join(root, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, content, { mode });
  };
  fs.mkdirSync(path.join(root, "app"), { recursive: true });
  for (const { path: file, content, executable } of generated.files) {
    if (file.startsWith("environment/seeds/"))
      put(`app/${file.slice("environment/seeds/".length)}`, content, executable ? 0o755 : 0o644);
    else if (file === "environment/entrypoint.sh") put("entrypoint.sh", content, 0o755);
  }
  fixTimes(root);
}

/**
 * Opens a fresh sandbox of a generated environment without importing it, in the state in which an imported one starts.
 * Its files lie in a new folder below `folder` until it is closed. Throws SandboxFailure.
 */
export async function openGenerated(host: SandboxHost, generated: Generated, folder: string): Promise<OpenGenerated> {
  const root = fs.mkdtempSync(path.join(folder, "layer-"));
  const remove = () => fs.rmSync(root, { recursive: true, force: true });
  try {
    fs.chmodSync(root, 0o755);
    writeLayer(root, generated);
    const sandbox = await host.create({
      driver: "bubblewrap",
      image: { kind: "layers", lower: [root] },
      workdir: WORKDIR,
      env: {},
      hostname: "misstep",
      network: false,
      limits: { ...DEFAULT_LIMITS, memoryBytes: 512 * 1024 ** 2 },
    });
    const close = async () => {
      await sandbox.dispose();
      remove();
    };
    if (generated.instance.start !== null) {
      const started = await sandbox.exec(entrypointScript(["/entrypoint.sh"], WORKDIR, null));
      if (started.exitCode !== 0) {
        await close();
        throw new SandboxFailure("cannot-start", `the ENTRYPOINT of ${generated.name} ended instead of starting`);
      }
    }
    return { sandbox, state: () => stateOf(sandbox, generated), test: () => testIn(sandbox, generated), close };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Runs a family's probe where the rollout stands, in a shell of its own so that nothing of it stays. */
export async function stateOf(sandbox: Pick<Sandbox, "exec">, generated: Generated): Promise<Set<string>> {
  const { stdout } = await sandbox.exec(probeCommand(generated));
  return new Set(stdout.split(/\s+/).filter((word) => word !== ""));
}

/** The command that prints a family's state words. */
export const probeCommand = (generated: Generated): string => `( cd ${WORKDIR}; ${generated.instance.probe} )`;

/** The hidden tests in one command: their own reward, on the last line. */
export async function testIn(sandbox: Sandbox, generated: Generated): Promise<{ reward: 0 | 1; log: string }> {
  const script = generated.files.find((file) => file.path === "tests/test.sh")?.content ?? "";
  const { stdout } = await sandbox.exec(`( cd ${WORKDIR}\n${script}\ncat /logs/verifier/reward.txt )`);
  const lines = stdout.trimEnd().split("\n");
  const written = lines.at(-1);
  if (written !== "0" && written !== "1")
    throw new SandboxFailure("died", `the tests of ${generated.name} wrote the reward "${written}"`);
  return { reward: written === "1" ? 1 : 0, log: lines.slice(0, -1).join("\n") };
}
