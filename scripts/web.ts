/** The web server process: Next behind a guard for Host, Origin and content security, and a gate for sessions. */
import http from "node:http";
import { parse } from "node:url";
import next from "next";
import { getDb } from "@/db/client";
import { readOrigins } from "@/lib/people/accounts/origins";
import { gate } from "./support/gate";
import { guard } from "./support/guard";
import { isLoopback } from "./support/loopback.mjs";

const port = Number(process.env.PORT ?? 3737);
const hostname = process.env.MISSTEP_HOST ?? "127.0.0.1";
const dev = process.env.MISSTEP_DEV === "1";
const origins = readOrigins();
// An origin says that a proxy brings others here.
const loopback = isLoopback(hostname) && origins.length === 0;

const app = next({ dev, hostname, port, dir: process.env.MISSTEP_ROOT ?? process.cwd(), turbopack: dev });
await app.prepare();
const handle = app.getRequestHandler();
const upgrade = app.getUpgradeHandler();

const server = http.createServer((req, res) => {
  if (!guard(req, res, { dev, origins }) || !gate(getDb(), req, res, { loopback })) return;
  handle(req, res, parse(req.url ?? "/", true)).catch((error: unknown) => {
    process.stderr.write(
      `misstep: ${req.method} ${req.url}: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    if (!res.headersSent) res.writeHead(500);
    res.end();
  });
});
server.on("upgrade", (req, socket, head) => {
  // Reloading in dev; only where nobody else can knock.
  if (dev && loopback) void upgrade(req, socket, head);
  else socket.destroy();
});
server.on("error", (error: NodeJS.ErrnoException) => {
  process.stderr.write(`misstep: cannot listen on ${hostname}:${port}: ${error.message}\n`);
  process.exit(2);
});
server.listen(port, hostname, () => process.send?.("listening"));

function stop() {
  server.close();
  server.closeAllConnections();
  setTimeout(() => process.exit(0), 50);
}
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
process.on("disconnect", stop);
