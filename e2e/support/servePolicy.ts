import { spawn } from "node:child_process";
import path from "node:path";

/** `misstep serve-policy` on a free port: the shipped policy behind the protocol of OpenAI. */
export async function servePolicy(): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const child = spawn(process.execPath, [path.resolve("scripts/misstep.mjs"), "serve-policy", "--port", "0"], {
    env: { ...process.env, MISSTEP_HOME: process.env.E2E_HOME },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const close = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      said += data.toString();
      const address = /^http:\/\/127\.0\.0\.1:\d+\/v1$/m.exec(said)?.[0];
      if (address) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`serve-policy ended with ${code}: ${said}`)));
  });
  return { baseUrl, close };
}
