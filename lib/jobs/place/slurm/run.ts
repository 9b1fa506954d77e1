import "server-only";
import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { explain } from "@/db/failure";
import { type Away, type Executor, type ItemRow, type ItemsContext, JobBroken } from "@/lib/jobs/executor";
import { sayRefusal } from "@/lib/jobs/place/refusal";
import { readClusters, type SlurmSettings } from "@/lib/jobs/place/settings";
import { plural } from "@/lib/text/format";
import {
  exitCode,
  hasEnded,
  jobNamed,
  maxArrayTasks,
  SlurmError,
  sbatch,
  scancel,
  type TaskState,
  taskStates,
} from "./client";
import {
  type JobFolder,
  jobFolder,
  prepareFolder,
  sbatchOptions,
  submissionName,
  tailOf,
  writeSubmission,
} from "./folder";
import { ingest } from "./ingest";
import type { Submission } from "./placed";
import { type LiveTask, Submitted } from "./submitted";
import { takenFile } from "./task";

/** How patiently Slurm is followed. Milliseconds. */
export interface Pace {
  /** Between two looks while something changes, and at most. */
  least: number;
  most: number;
  /** A shared file system may show a result this long after Slurm says that its task ended. */
  grace: number;
}
const PACE: Pace = { least: 1000, most: 15_000, grace: 15_000 };
/** How long cancelled tasks may take to end before they are left to Slurm. Milliseconds. */
const CANCEL_MS = 30_000;

/** Follows one job on Slurm: what lies there, what is open, what to submit next. */
class SlurmJob {
  private readonly open: Map<number, ItemRow>;
  private readonly submitted: Submitted;
  private readonly folder: JobFolder;
  private failed = 0;

  constructor(
    private readonly context: ItemsContext,
    private readonly away: Away,
    private readonly settings: SlurmSettings,
    private readonly pace: Pace,
  ) {
    this.open = new Map(context.items.map((item) => [item.id, item]));
    this.folder = jobFolder(settings, context.job.id);
    this.submitted = new Submitted(context.db, context.job.id, this.folder, pace.grace);
  }

  async run(): Promise<void> {
    const { signal, log } = this.context;
    let wait = this.pace.least;
    let silent = false;
    let prepared = false;
    while (!signal.aborted) {
      try {
        await this.findUnknown();
        if (!prepared) await this.prepare();
        prepared = true;
        const changed = await this.look();
        if (silent) log("info", "Slurm answers again");
        silent = false;
        if (this.open.size === 0) break;
        wait = changed ? this.pace.least : Math.min(wait * 1.5, this.pace.most);
      } catch (error) {
        if (!(error instanceof SlurmError) || error.missing) throw error;
        if (!silent) log("warn", `${error.message}; asked again until it answers`);
        silent = true;
        wait = this.pace.most;
      }
      await delay(wait, undefined, { signal }).catch(() => undefined);
    }
    if (signal.reason === "cancel" || signal.reason === "pause") await this.withdraw();
    else if (this.open.size === 0) this.tidy();
  }

  /** Submissions whose id was not written down before the worker died: Slurm knows them by name, or never had them. */
  private async findUnknown(): Promise<void> {
    for (const one of this.submitted.placed.submissions.filter(({ slurmId }) => slurmId === null)) {
      one.slurmId = await jobNamed(submissionName(this.context.job.id, one.n));
      if (one.slurmId === null) this.submitted.drop(one);
      else {
        this.submitted.placed.slurmIds.push(one.slurmId);
        this.context.log("info", `goes on with Slurm job ${one.slurmId}`);
      }
      this.submitted.save();
    }
  }

  /** A new snapshot, unless tasks are working on one. */
  private async prepare(): Promise<void> {
    const { db, job, log } = this.context;
    if (this.submitted.placed.submissions.length > 0) {
      log(
        "info",
        `follows ${plural(this.submitted.placed.submissions.length, "Slurm job")} that were submitted before`,
      );
      fs.mkdirSync(this.folder.results, { recursive: true });
      return;
    }
    await prepareFolder(db, this.folder, this.away.checkpoints?.(db, job) ?? []);
  }

  /** One look at Slurm and at the results. Whether anything changed. */
  private async look(): Promise<boolean> {
    const ids = this.submitted.ids;
    // States first: what ended before has written its results before.
    const states = await taskStates(ids);
    this.submitted.placed.askedAt = Date.now();
    const taken = await ingest(this.context, this.away, this.folder, this.open);
    const { live, dead } = this.submitted.sort(states, this.open);
    for (const task of dead) await this.bury(task, states);
    const submitted = await this.submit(live);
    const counted = this.submitted.count(live, states);
    this.submitted.save();
    return taken > 0 || dead.length > 0 || submitted || counted;
  }

  /** A task that died: its open items are submitted again, or fail when that happened too often. */
  private async bury({ submission, index, items }: LiveTask, states: Map<string, TaskState>): Promise<void> {
    const { log } = this.context;
    const task = `${submission.slurmId}_${index}`;
    const state = states.get(task);
    const code = await exitCode(task);
    const why = state ? `${state.state}${code && code !== "0:0" ? ` (exit code ${code})` : ""}` : "forgotten by Slurm";
    const tail = tailOf(this.submitted.folderOf(submission), index);
    log(
      "warn",
      `task ${task} ended as ${why} with ${plural(items.length, "item")} not done${tail === "" ? "" : `; it said:\n${tail}`}`,
    );
    // What follows must not find the task again.
    const all = this.submitted.tasksOf(submission);
    const whole = all[index]?.length ?? 0;
    all[index] = [];
    if (items.length === whole) {
      const guilty = this.away.inOrder ? items.slice(0, 1) : items;
      for (const id of guilty) {
        const deaths = (this.submitted.placed.deaths[id] ?? 0) + 1;
        this.submitted.placed.deaths[id] = deaths;
        if (deaths > this.settings.tries) this.fail(id, `its task ended as ${why} ${plural(deaths, "time")}`);
      }
    }
    this.submitted.save();
  }

  private fail(id: number, error: string): void {
    const item = this.open.get(id);
    if (!item) return;
    if (this.away.inOrder) throw new JobBroken(`${item.key}: ${error}`);
    this.context.log("error", `${item.key}: ${error}`);
    this.context.end(item, { status: "failed", error });
    this.open.delete(id);
    this.failed++;
  }

  /** Submits what is open and lies nowhere, as far as one array and the cluster's limit reach. */
  private async submit(live: readonly LiveTask[]): Promise<boolean> {
    const { job, log, signal } = this.context;
    if (signal.aborted) return false;
    const placed = new Set(live.flatMap(({ items }) => items));
    const waiting = [...this.open.values()].filter(({ id }) => !placed.has(id));
    if (waiting.length === 0) return false;
    const most = await maxArrayTasks();
    const tasks = this.chunks(waiting);
    const room = most - live.length;
    // A long list goes in large pieces, not one by one as places become free.
    if (room <= 0 || (tasks.length > room && room < most / 2)) return false;
    const now = tasks.slice(0, room);
    for (const { id } of now.flat()) fs.rmSync(takenFile(this.folder.results, id), { force: true });
    const n = this.submitted.placed.next++;
    const { script } = writeSubmission(this.folder, this.settings, job, n, now);
    const submission: Submission = { n, slurmId: null, tasks: now.length };
    this.submitted.placed.submissions.push(submission);
    this.submitted.save();
    try {
      submission.slurmId = await sbatch(sbatchOptions(this.settings, submissionName(job.id, n), now.length), script);
    } catch (error) {
      if (!(error instanceof SlurmError) || error.missing || !error.isTransient) {
        this.submitted.drop(submission);
        this.submitted.save();
        throw new JobBroken(`Slurm did not take the job: ${explain(error)}`, { cause: error });
      }
      throw error;
    }
    this.submitted.placed.slurmIds.push(submission.slurmId);
    this.submitted.save();
    log(
      "info",
      `submitted ${plural(now.flat().length, "item")} in ${plural(now.length, "task")} as Slurm job ${submission.slurmId}${now.length < tasks.length ? `; ${plural(tasks.length - now.length, "task")} more follow, as an array may have ${most}` : ""}`,
    );
    return true;
  }

  /** Items by task. What a task died with goes alone, so that one item cannot take others with it. */
  private chunks(items: readonly ItemRow[]): ItemRow[][] {
    if (this.away.inOrder) return [[...items]];
    const died = (item: ItemRow) => this.submitted.placed.deaths[item.id] !== undefined;
    const fresh = items.filter((item) => !died(item));
    const size = this.settings.itemsPerTask;
    const chunks = Array.from({ length: Math.ceil(fresh.length / size) }, (_, i) =>
      fresh.slice(i * size, (i + 1) * size),
    );
    return [...chunks, ...items.filter(died).map((item) => [item])];
  }

  /** Takes back what lies with Slurm, then takes in what was finished until then. */
  private async withdraw(): Promise<void> {
    const ids = this.submitted.ids;
    try {
      await scancel(ids);
      const until = Date.now() + CANCEL_MS;
      while (Date.now() < until && [...(await taskStates(ids)).values()].some((state) => !hasEnded(state)))
        await delay(this.pace.least);
      if (ids.length > 0) this.context.log("info", `cancelled in Slurm: job ${ids.join(", ")}`);
    } catch (error) {
      if (!(error instanceof SlurmError)) throw error;
      this.context.log("warn", `${error.message}; what is left there is cancelled once Slurm answers`);
      return;
    }
    if (fs.existsSync(this.folder.results)) await ingest(this.context, this.away, this.folder, this.open);
    this.submitted.clear();
  }

  /** Everything is in the index: the folder has served, unless somebody wants to see what failed. */
  private tidy(): void {
    this.submitted.clear();
    if (this.failed === 0) fs.rmSync(this.folder.root, { recursive: true, force: true });
  }
}

/** The same kind of job, done on Slurm: the worker lists, submits, follows and stores; tasks perform. */
export function onSlurm(executor: Executor, pace: Pace = PACE): Executor {
  return {
    kind: executor.kind,
    batch: 1_000_000,
    list: (context) => executor.list(context),
    async run(context) {
      const { away } = executor;
      if (!away) throw new JobBroken(`jobs of kind "${executor.kind}" run on this machine only`);
      const refusal = away.refusal(context.db, context.job);
      if (refusal !== null) throw new JobBroken(sayRefusal(refusal));
      const { slurm } = readClusters();
      if (slurm === null) throw new JobBroken("no Slurm is set up here; see Settings, Clusters");
      try {
        await new SlurmJob(context, away, slurm, pace).run();
      } catch (error) {
        if (error instanceof JobBroken) throw error;
        throw new JobBroken(explain(error), { cause: error });
      }
    },
    ...(executor.finish ? { finish: (context) => executor.finish?.(context) ?? Promise.resolve() } : {}),
  };
}
