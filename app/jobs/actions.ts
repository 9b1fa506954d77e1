"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { cancelJob, pauseJob, resumeJob, retryJob } from "@/lib/jobs/queue";

const jobId = z.object({ id: z.number().int().positive() });

/** Stops a job after the item in flight; what was finished stays. */
export async function cancelJobAction(input: { id: number }): Promise<ActionResult<null>> {
  return act(jobId, input, ({ id }, actor) => {
    const done = cancelJob(getDb(), id, actor.name);
    if (!done.ok) throw new ActionRefused(done.reason);
    return null;
  });
}

/** Does again what failed or was not reached. */
export async function retryJobAction(input: { id: number }): Promise<ActionResult<null>> {
  return act(jobId, input, ({ id }, actor) => {
    const done = retryJob(getDb(), id, actor.name);
    if (!done.ok) throw new ActionRefused(done.reason);
    return null;
  });
}

/** Lets a job wait after the item in flight, until it is resumed. */
export async function pauseJobAction(input: { id: number }): Promise<ActionResult<null>> {
  return act(jobId, input, ({ id }, actor) => {
    const done = pauseJob(getDb(), id, actor.name);
    if (!done.ok) throw new ActionRefused(done.reason);
    return null;
  });
}

/** Puts a paused job back into the queue. */
export async function resumeJobAction(input: { id: number }): Promise<ActionResult<null>> {
  return act(jobId, input, ({ id }, actor) => {
    const done = resumeJob(getDb(), id, actor.name);
    if (!done.ok) throw new ActionRefused(done.reason);
    return null;
  });
}
