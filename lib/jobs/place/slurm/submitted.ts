import "server-only";
import path from "node:path";
import type { Db } from "@/db/client";
import { hasEnded, type TaskState } from "./client";
import { type JobFolder, readTask } from "./folder";
import { type Placed, readPlaced, type Submission, writePlaced } from "./placed";

/** One array task of a submission. */
export interface LiveTask {
  submission: Submission;
  index: number;
  items: number[];
}

/** What of a job lies with Slurm: its submissions, the items of their tasks, and which tasks may still give results. */
export class Submitted {
  /** As `save` writes it down: a worker that dies goes on from there. */
  readonly placed: Placed;
  /** When a task was first seen to have ended without all its results, by "job_index". */
  private readonly endedAt = new Map<string, number>();
  private readonly tasks = new Map<number, number[][]>();

  /** `grace`: milliseconds that results may come after Slurm says that their task ended. */
  constructor(
    private readonly db: Db,
    private readonly jobId: number,
    private readonly folder: JobFolder,
    private readonly grace: number,
  ) {
    this.placed = readPlaced(db, jobId);
  }

  /** What Slurm calls the submissions that it is known to have. */
  get ids(): string[] {
    return this.placed.submissions.flatMap(({ slurmId }) => slurmId ?? []);
  }

  /** Tasks that may still give results, and tasks that ended without giving all. */
  sort(
    states: ReadonlyMap<string, TaskState>,
    open: ReadonlyMap<number, unknown>,
  ): { live: LiveTask[]; dead: LiveTask[] } {
    const live: LiveTask[] = [];
    const dead: LiveTask[] = [];
    // An item belongs to the submission it was in last.
    const claimed = new Set<number>();
    for (const submission of [...this.placed.submissions].reverse()) {
      let waiting = 0;
      for (const [index, all] of this.tasksOf(submission).entries()) {
        const items = all.filter((id) => open.has(id) && !claimed.has(id));
        for (const id of items) claimed.add(id);
        if (items.length === 0) continue;
        waiting++;
        const key = `${submission.slurmId}_${index}`;
        const state = states.get(key);
        if (state && !hasEnded(state)) {
          this.endedAt.delete(key);
          live.push({ submission, index, items });
          continue;
        }
        const since = this.endedAt.get(key) ?? Date.now();
        this.endedAt.set(key, since);
        (Date.now() - since < this.grace ? live : dead).push({ submission, index, items });
      }
      if (waiting === 0) this.drop(submission);
    }
    return { live, dead };
  }

  /** Notes how many tasks are in which state. Whether that changed. */
  count(live: readonly LiveTask[], states: ReadonlyMap<string, TaskState>): boolean {
    const counts: Record<string, number> = {};
    for (const { submission, index } of live) {
      const state = states.get(`${submission.slurmId}_${index}`)?.state ?? "SUBMITTED";
      counts[state] = (counts[state] ?? 0) + 1;
    }
    const changed = JSON.stringify(counts) !== JSON.stringify(this.placed.states);
    this.placed.states = counts;
    return changed;
  }

  folderOf = ({ n }: Submission): string => path.join(this.folder.root, String(n));

  /** Ids of the items of each task. */
  tasksOf(submission: Submission): number[][] {
    let known = this.tasks.get(submission.n);
    if (!known) {
      const folder = this.folderOf(submission);
      known = Array.from({ length: submission.tasks }, (_, index) =>
        readTask(folder, index).items.map((item) => item.id),
      );
      this.tasks.set(submission.n, known);
    }
    return known;
  }

  drop(submission: Submission): void {
    this.placed.submissions = this.placed.submissions.filter((one) => one !== submission);
    this.tasks.delete(submission.n);
  }

  /** Nothing of it lies there any more. */
  clear(): void {
    this.placed.submissions = [];
    this.placed.states = {};
    this.save();
  }

  save(): void {
    writePlaced(this.db, this.jobId, this.placed);
  }
}
