import fs from "node:fs";
import net from "node:net";
import { socketPath } from "@/lib/sandbox/endpoint";
import { serve } from "./connection";
import type { Sandboxes } from "./sandboxes";

const answers = (socket: string) =>
  new Promise<boolean>((resolve) => {
    const probe = net.connect(socket);
    probe.on("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", () => resolve(false));
  });

function bind(socket: string, sandboxes: Sandboxes): Promise<boolean> {
  const server = net.createServer((client) => void serve(client, sandboxes));
  return new Promise((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    const before = process.umask(0o177);
    server.listen(socket, () => resolve(true));
    process.umask(before);
  });
}

/** Listens at the socket of this MISSTEP_HOME, after any other host of it is gone. */
export async function listen(sandboxes: Sandboxes): Promise<void> {
  const socket = socketPath();
  for (let told = false; !(await bind(socket, sandboxes)); ) {
    if (await answers(socket)) {
      if (!told) process.stderr.write("misstep: another sandbox host serves this home; waiting for it\n");
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 500));
    } else fs.rmSync(socket, { force: true });
  }
}
