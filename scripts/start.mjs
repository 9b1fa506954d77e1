// npm start: one command from a fresh clone to the open dashboard. Supervises the sandbox host, the web server and the worker.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import net from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { checkNode, ensureBuilt, ensureBundled, ensureInstalled, fail, root } from "./support/bootstrap.mjs";
import { isLoopback } from "./support/loopback.mjs";

const values = readOptions();
const port = Number(values.port);
const host = values.host;

checkNode();
if (!Number.isInteger(port) || port < 1 || port > 65535) fail(`"${values.port}" is no port; use --port 1…65535.`, 2);
if (!isLoopback(host) && !values.origin) {
  fail(
    `refusing to listen on ${host}: others can reach it, so people must sign in, under an address that is known. Run: npm run -s misstep -- accounts on; then: npm start -- --host ${host} --origin https://name (the address people open).`,
    2,
  );
}
await checkPort();
ensureInstalled();
if (values.dev) await ensureBundled();
else await ensureBuilt();

const env = {
  ...process.env,
  MISSTEP_ROOT: root,
  // As the caller meant it: relative to where npm was called.
  MISSTEP_HOME: values.home && path.resolve(process.env.INIT_CWD ?? process.cwd(), values.home),
  PORT: String(port),
  MISSTEP_HOST: host,
  MISSTEP_ORIGIN: values.origin,
  NEXT_TELEMETRY_DISABLED: "1",
  NODE_ENV: values.dev ? "development" : "production",
  MISSTEP_DEV: values.dev ? "1" : "",
};
const setup = await new Promise((resolve) => {
  spawn(process.execPath, [path.join(root, "dist/setup.mjs")], { cwd: root, env, stdio: "inherit" }).on(
    "exit",
    (code) => resolve(code ?? 1),
  );
});
if (setup !== 0) process.exit(setup);

let stopping = false;
const children = new Map();

function supervise(name) {
  let backoff = 250;
  const start = () => {
    const born = Date.now();
    const child = spawn(process.execPath, ["--enable-source-maps", path.join(root, `dist/${name}.mjs`)], {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    children.set(name, child);
    child.on("message", (message) => {
      if (message === "listening")
        process.stdout.write(
          `Misstep is running: http://${host.includes(":") ? `[${host}]` : host}:${port}  (Ctrl-C stops it)\n`,
        );
    });
    child.on("exit", (code, signal) => {
      children.delete(name);
      if (stopping) return;
      if (code === 2) {
        stop(1);
        return;
      }
      process.stderr.write(
        `misstep: the ${name === "sandboxHost" ? "sandbox host" : name} process ended (${signal ?? `code ${code}`}); starting it again\n`,
      );
      backoff = Date.now() - born > 10_000 ? 250 : Math.min(backoff * 2, 10_000);
      setTimeout(() => {
        if (!stopping) start();
      }, backoff);
    });
  };
  start();
}

function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const child of children.values()) child.kill("SIGTERM");
  const deadline = Date.now() + 4000;
  const wait = setInterval(() => {
    if (children.size > 0 && Date.now() < deadline) return;
    clearInterval(wait);
    for (const child of children.values()) child.kill("SIGKILL");
    process.exit(code);
  }, 25);
}

process.on("SIGINT", () => stop(0));
process.on("SIGTERM", () => stop(0));
process.on("SIGHUP", () => stop(0));

// Before anything grows big: starting processes is quick only from a small one.
supervise("sandboxHost");
supervise("web");
supervise("worker");
if (values.dev) restartWorkerOnChange();

/** In dev Next reloads pages by itself; the worker is bundled anew and started again when its sources change. */
function restartWorkerOnChange() {
  let timer;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await ensureBundled();
      children.get("worker")?.kill("SIGTERM");
    }, 300);
  };
  for (const folder of ["lib", "db", "scripts"]) watch(path.join(root, folder), { recursive: true }, changed);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        dev: { type: "boolean", default: false },
        home: { type: "string", default: process.env.MISSTEP_HOME || "" },
        port: { type: "string", default: process.env.PORT || "3737" },
        host: { type: "string", default: process.env.MISSTEP_HOST || "127.0.0.1" },
        origin: { type: "string", default: process.env.MISSTEP_ORIGIN || "" },
      },
    }).values;
  } catch (error) {
    return fail(
      `${error.message}\nusage: npm start -- [--port 3737] [--host 127.0.0.1] [--origin https://name] [--home DIR]`,
      2,
    );
  }
}

async function checkPort() {
  const error = await new Promise((resolve) => {
    const probe = net.createServer();
    probe.once("error", resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
  if (!error) return;
  if (error.code === "EADDRINUSE")
    fail(
      `port ${port} is busy: another program (or another Misstep) listens there. Stop it, or: npm start -- --port ${port + 1}`,
    );
  fail(`cannot listen on ${host}:${port}: ${error.message}`);
}
