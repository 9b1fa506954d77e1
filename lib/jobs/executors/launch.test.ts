import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { cancelJob, claimJob, enqueue, getJob, reclaimJobs } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { makeLaunchExecutor } from "./launch";

let dir: string;
let db: Db;
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-launch-"));
  process.env.MISSTEP_HOME = path.join(dir, "home");
  db = openMemoryDb();
});
afterEach(() => {
  db.$client.close();
  fs.rmSync(dir, { recursive: true, force: true });
});

function bundle(script: string): string {
  const folder = path.join(dir, "it's a bundle");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "launch.sh"), script);
  return folder;
}
const queue = (folder: string, place: "local" | "ray", address?: string) =>
  enqueue(db, { kind: "launch", title: "l", params: { folder, address }, place, requestedBy: "test" });
const run = async (id: number, stop = new AbortController().signal) => {
  const job = claimJob(db, "w", id);
  if (!job) throw new Error("nothing to claim");
  await runJob(db, job, makeLaunchExecutor(30), "w", stop);
};
const log = (id: number) =>
  db.$client.prepare("select message from job_event where job_id = ? order by id").pluck().all(id).join("\n");
const until = async (ready: () => boolean) => {
  while (!ready()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe("a process of this machine", () => {
  test("is followed to its end, also by the worker after the one that started it, and is started once", async () => {
    const folder = bundle('echo begun >>times; echo one; while [ ! -e go ]; do sleep 0.05; done; echo "two"');
    const id = queue(folder, "local");
    const stop = new AbortController();
    const first = run(id, stop.signal);
    await until(() => log(id).includes("one"));
    stop.abort();
    await first;
    expect(getJob(db, id)?.status).toBe("queued");
    fs.writeFileSync(path.join(folder, "go"), "");
    reclaimJobs(db, true);
    await run(id);
    expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 1 });
    expect(log(id).match(/one|two/g)).toEqual(["one", "two"]);
    expect(fs.readFileSync(path.join(folder, "times"), "utf8")).toBe("begun\n");
  });

  test("that fails says with which code; one that is cancelled is gone", async () => {
    const failing = queue(bundle("echo no GPU here >&2; exit 3"), "local");
    await run(failing);
    expect(getJob(db, failing)).toMatchObject({ status: "partial", items_failed: 1 });
    expect(log(failing)).toContain("no GPU here");
    expect(log(failing)).toContain("exit code 3");

    const folder = bundle("echo $$ >pid; sleep 60 & wait");
    const id = queue(folder, "local");
    const running = run(id);
    await until(() => fs.existsSync(path.join(folder, "pid")));
    cancelJob(db, id, "test");
    await running;
    expect(getJob(db, id)?.status).toBe("cancelled");
    // Where nothing reaps orphans at once, what is left of a process is a zombie.
    const stat = `/proc/${fs.readFileSync(path.join(folder, "pid"), "utf8").trim()}/stat`;
    expect(fs.existsSync(stat) && !/\) Z /.test(fs.readFileSync(stat, "utf8"))).toBe(false);
  });
});

/** The Jobs API as a Ray head speaks it. */
async function rayHead() {
  const jobs = new Map<string, { status: string; message: string | null; logs: string; entrypoint: string }>();
  const seen: string[] = [];
  let down = false;
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      seen.push(`${request.method} ${request.url}`);
      const answer = (code: number, value: unknown) => {
        response.writeHead(code, { "content-type": "application/json" });
        response.end(typeof value === "string" ? value : JSON.stringify(value));
      };
      if (down) return answer(503, "no leader");
      const [, , , id, what] = (request.url ?? "").split("/").map(decodeURIComponent);
      if (request.method === "POST" && !id) {
        const given = JSON.parse(body) as { submission_id: string; entrypoint: string };
        if (jobs.has(given.submission_id)) return answer(500, `Job with submission_id ${given.submission_id} exists`);
        jobs.set(given.submission_id, { status: "PENDING", message: null, logs: "", entrypoint: given.entrypoint });
        return answer(200, { job_id: given.submission_id, submission_id: given.submission_id });
      }
      const job = jobs.get(id ?? "");
      if (!job) return answer(404, `Job ${id} does not exist`);
      if (what === "logs") return answer(200, { logs: job.logs });
      if (what === "stop") {
        job.status = "STOPPED";
        return answer(200, { stopped: true });
      }
      return answer(200, { type: "SUBMISSION", submission_id: id, ...job });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    only: () => [...jobs.values()][0],
    setDown: (value: boolean) => {
      down = value;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe("a Ray head", () => {
  test("gets the bundle once; its words, states and silence reach the job", async () => {
    const head = await rayHead();
    const id = queue(bundle("true"), "ray", head.address);
    const following = run(id);
    await until(() => head.only() !== undefined);
    const job = head.only() as NonNullable<ReturnType<typeof head.only>>;
    Object.assign(job, { status: "RUNNING", logs: "step 1\nste" });
    await until(() => log(id).includes("step 1"));
    head.setDown(true);
    await until(() => log(id).includes("503"));
    head.setDown(false);
    Object.assign(job, { status: "SUCCEEDED", logs: "step 1\nstep 2\n", message: "Job finished successfully." });
    await following;
    await head.close();
    expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 1 });
    expect(log(id).match(/step \d/g)).toEqual(["step 1", "step 2"]);
    expect(job.entrypoint).toContain(`it'\\''s a bundle' && exec bash ./launch.sh`);
    expect(head.seen.filter((line) => line.startsWith("POST"))).toEqual(["POST /api/jobs/"]);
  });

  test("stops what is cancelled", async () => {
    const head = await rayHead();
    const id = queue(bundle("true"), "ray", head.address);
    const following = run(id);
    await until(() => head.only() !== undefined);
    cancelJob(db, id, "test");
    await following;
    expect(getJob(db, id)?.status).toBe("cancelled");
    expect(head.only()?.status).toBe("STOPPED");
    await head.close();
  });

  test("says why a job failed", async () => {
    const head = await rayHead();
    const id = queue(bundle("true"), "ray", head.address);
    const following = run(id);
    await until(() => head.only() !== undefined);
    Object.assign(head.only() ?? {}, { status: "FAILED", message: "driver ran out of memory" });
    await following;
    await head.close();
    expect(getJob(db, id)).toMatchObject({ status: "partial", items_failed: 1 });
    expect(log(id)).toContain("failed: driver ran out of memory");
  });

  test("that cannot be reached fails the job with what to look at", async () => {
    const id = queue(bundle("true"), "ray", "http://127.0.0.1:9");
    await run(id);
    expect(getJob(db, id)).toMatchObject({ status: "partial" });
    expect(log(id)).toMatch(/Ray head at http:\/\/127\.0\.0\.1:9 cannot be reached/);
  });
});
