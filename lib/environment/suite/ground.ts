import "server-only";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pack } from "tar-stream";
import { FIXED_TIME } from "@/lib/sandbox/tree";
import type { Sandbox, SandboxHost } from "@/lib/sandbox/types";
import type { Generated } from "./generate";
import { type OpenGenerated, openGenerated, stateOf, testIn } from "./open";

/** Environments that one sandbox is used for, one after the other. */
const USES = 40;
const SEEDS = "environment/seeds/";
/** Where nothing of the suite looks. */
const TAR = "/var/tmp/.seeds.tar";
/**
 * Empties what a task can have touched and lays out the next one, folders with the time of a fresh root too: an archive
 * that is made of them shows it. The shell stands in its work directory again.
 */
const RESET = `cd /app && find /app /tmp -mindepth 1 -delete && tar -C /app --no-same-owner -xf ${TAR} && find /app -type d -exec touch -d @${FIXED_TIME.getTime() / 1000} {} + && rm -rf ${TAR} /logs/verifier`;

async function archiveOf(generated: Generated): Promise<Buffer> {
  const tar = pack();
  for (const { path: file, content, executable } of generated.files)
    if (file.startsWith(SEEDS))
      tar.entry({ name: file.slice(SEEDS.length), mode: executable ? 0o755 : 0o644, mtime: FIXED_TIME }, content);
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/**
 * Opens many generated environments one after the other in few sandboxes: starting one costs more than a whole
 * demonstration. Between two, everything a task of the suite can have touched is emptied; an environment with processes
 * gets a sandbox of its own. For demonstrations only: nothing that is scored or rerun shares a sandbox. One caller at a time.
 */
export class Ground {
  private shared: { sandbox: Sandbox; left: number } | null = null;
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-ground-"));

  constructor(private readonly host: SandboxHost) {}

  async open(generated: Generated): Promise<OpenGenerated> {
    if (generated.instance.start !== null) return openGenerated(this.host, generated, this.folder);
    const { sandbox } = await this.fresh(generated);
    await sandbox.writeFile(TAR, await archiveOf(generated));
    const reset = await sandbox.exec(RESET);
    if (reset.exitCode !== 0) throw new Error(`the sandbox could not be emptied: ${reset.observation}`);
    return {
      sandbox,
      state: () => stateOf(sandbox, generated),
      test: () => testIn(sandbox, generated),
      close: async () => undefined,
    };
  }

  private async fresh(generated: Generated): Promise<{ sandbox: Sandbox; left: number }> {
    if (this.shared && this.shared.left === 0) {
      await this.shared.sandbox.dispose();
      this.shared = null;
    }
    this.shared ??= { sandbox: (await openGenerated(this.host, generated, this.folder)).sandbox, left: USES };
    this.shared.left--;
    return this.shared;
  }

  async close(): Promise<void> {
    await this.shared?.sandbox.dispose();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
