import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { sandboxDir } from "@/lib/sandbox/endpoint";
import { type BuiltImage, type ImageRequest, SandboxFailure } from "@/lib/sandbox/types";
import { debianRoot } from "./base";
import { engineEnvironment } from "./container";

const exec = promisify(execFile);

async function inspect(driver: "podman" | "docker", name: string): Promise<string | null> {
  const args = ["image", "inspect", "--format", "{{.Id}}", name];
  try {
    return (await exec(driver, args, { env: engineEnvironment(driver), timeout: 60_000 })).stdout.trim();
  } catch {
    return null;
  }
}

/** The Debian root as an image; made once for a digest. */
async function baseImage(driver: "podman" | "docker"): Promise<string> {
  const { dir, record } = debianRoot();
  if (!fs.existsSync(record))
    throw new SandboxFailure("unsupported", `${driver} needs the Debian root as its base: misstep sandbox build-root`);
  const { digest } = JSON.parse(fs.readFileSync(record, "utf8")) as { digest: string };
  const name = `localhost/misstep-base:${digest.slice(0, 16)}`;
  if ((await inspect(driver, name)) !== null) return name;
  const tar = spawn("tar", ["-C", dir, "-c", "."], { stdio: ["ignore", "pipe", "ignore"] });
  const load = spawn(driver, ["import", "-", name], {
    stdio: [tar.stdout, "ignore", "ignore"],
    env: engineEnvironment(driver),
  });
  const code = await new Promise((resolve) => {
    load.on("error", () => resolve(1));
    load.on("exit", resolve);
  });
  if (code !== 0) throw new SandboxFailure("unsupported", `${driver} could not import the Debian root`);
  return name;
}

/** Builds an image with the engine's command line. Rejects with SandboxFailure("unsupported") and the end of its log. */
export async function buildImage(request: ImageRequest): Promise<BuiltImage> {
  const { driver, name, context, network, timeoutMs } = request;
  const there = await inspect(driver, name);
  if (there !== null) return { digest: there, log: "" };
  let text = request.dockerfile;
  if (/^\s*FROM\s+misstep\/base\s*$/im.test(text))
    text = text.replace(/^(\s*FROM\s+)misstep\/base\s*$/im, `$1${await baseImage(driver)}\n`);
  const folder = fs.mkdtempSync(path.join(sandboxDir(), "image-"));
  const file = path.join(folder, "Dockerfile");
  fs.writeFileSync(file, text);
  const args = ["build", "--network", network ? "host" : "none", "--tag", name, "--file", file, context];
  if (driver === "podman") args.splice(1, 0, "--pull=missing");
  const child = spawn(driver, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: engineEnvironment(driver),
    timeout: timeoutMs,
  });
  let log = "";
  const keep = (chunk: Buffer) => {
    log = (log + chunk.toString("utf8")).slice(-200_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const code = await new Promise<number | string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (exit, signal) => resolve(exit ?? signal ?? "unknown"));
  });
  fs.rmSync(folder, { recursive: true, force: true });
  const digest = code === 0 ? await inspect(driver, name) : null;
  if (digest !== null) return { digest, log };
  const end = log.trim().split("\n").slice(-8).join("\n");
  throw new SandboxFailure("unsupported", `${driver} could not build the image (${code}):\n${end}`);
}
