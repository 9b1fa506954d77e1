import "server-only";
import { z } from "zod";
import { quote } from "@/lib/sandbox/quote";
import { type Launcher, LaunchFailure, type LaunchStatus } from "./types";

/** Where a Ray head listens when nobody says otherwise. */
export const RAY_ADDRESS = "http://127.0.0.1:8265";
const LIMIT_MS = 20_000;

const STATES = {
  PENDING: "waiting",
  RUNNING: "running",
  STOPPED: "stopped",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
} as const satisfies Record<string, LaunchStatus["state"]>;
const jobSchema = z.object({
  status: z.enum(["PENDING", "RUNNING", "STOPPED", "SUCCEEDED", "FAILED"]),
  message: z.string().nullish(),
});

/** The Jobs API of a Ray head over HTTP (recipe 12.D). The folder of the bundle has to be on a file system its nodes see. */
export function rayLauncher(address: string): Launcher {
  const base = address.replace(/\/+$/, "");
  /** Answers with the body, or null for 404. */
  const call = async (method: "GET" | "POST", path: string, body?: unknown): Promise<unknown> => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}${path}`, {
        method,
        signal: AbortSignal.timeout(LIMIT_MS),
        redirect: "error",
        ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const said = cause instanceof Error ? cause.message : String(cause);
      throw new LaunchFailure(
        `the Ray head at ${base} cannot be reached: ${said}. Is it running, and its dashboard port (8265) open or tunnelled?`,
        true,
      );
    }
    if (response.status === 404) return null;
    if (!response.ok)
      throw new LaunchFailure(
        `the Ray head at ${base} answered ${method} ${path} with ${response.status}: ${text.trim().slice(0, 500)}`,
        response.status >= 502,
      );
    try {
      return JSON.parse(text);
    } catch {
      // Stop and delete answer with JSON too; what does not is no Ray.
      throw new LaunchFailure(
        `${base} answered ${method} ${path} with no JSON; is it the dashboard of a Ray head?`,
        false,
      );
    }
  };
  const jobPath = (name: string) => `/api/jobs/${encodeURIComponent(name)}`;
  return {
    async submit(folder, name) {
      if ((await call("GET", jobPath(name))) !== null) return;
      const made = await call("POST", "/api/jobs/", {
        entrypoint: `cd ${quote(folder)} && exec bash ./launch.sh`,
        submission_id: name,
        metadata: { from: "misstep", bundle: folder },
      });
      if (made === null) throw new LaunchFailure(`${base} has no Jobs API (404); Ray 2 has it`, false);
    },
    async status(_, name) {
      const answer = await call("GET", jobPath(name));
      if (answer === null) return { state: "lost", message: `the Ray head at ${base} knows no job ${name}` };
      const read = jobSchema.safeParse(answer);
      if (!read.success)
        throw new LaunchFailure(
          `the Ray head at ${base} describes job ${name} in a way this version cannot read`,
          false,
        );
      return { state: STATES[read.data.status], message: read.data.message ?? null };
    },
    async log(_, name, from) {
      const answer = z.object({ logs: z.string() }).safeParse(await call("GET", `${jobPath(name)}/logs`));
      return answer.success ? answer.data.logs.slice(from) : "";
    },
    async stop(_, name) {
      await call("POST", `${jobPath(name)}/stop`);
    },
  };
}
