import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { rolloutFiles } from "./folder";
import { type Line, linesFrom } from "./lines";
import { storeMetrics } from "./metrics";
import { readRecord } from "./record";
import { StepLogs } from "./stepLog";
import { type ReadRun, storeRecord } from "./store";

/** What a stretch of lines came to. */
export interface Took {
  rollouts: number;
  void: number;
  /** Rollouts whose text the step log does not have. */
  withoutText: number;
  refused: { path: string; line: number; reason: string }[];
}

/** Lines that are stored in one transaction. */
const TOGETHER = 32;
const STEPS = "steps";

interface Position {
  offset: number;
  lines: number;
}

/** Reads what a trainer has written, from where it was read to last. */
export class RolloutReader {
  private readonly logs: StepLogs;

  constructor(
    private readonly db: Db,
    private readonly run: ReadRun,
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.logs = new StepLogs(path.join(folder, STEPS));
  }

  private position(file: string): Position {
    const row = statement(
      this.db,
      "select offset, lines from read_back_file where training_run_id = ? and path = ?",
    ).get(this.run.id, file) as Position | undefined;
    return row ?? { offset: 0, lines: 0 };
  }

  /** Stretches of new whole lines; `store` writes one and must run in a transaction. Stops when the caller does. */
  *stretches(): Generator<{ store: () => Took }> {
    for (const { path: file, filtered } of rolloutFiles(this.folder, this.name)) {
      const full = path.join(this.folder, file);
      let { offset, lines } = this.position(file);
      if (fs.statSync(full).size < offset) {
        yield { store: () => this.shrunk(file, lines) };
        continue;
      }
      let batch: Line[] = [];
      const flush = () => {
        const taken = batch;
        const first = lines + 1;
        batch = [];
        lines += taken.length;
        offset = taken.at(-1)?.end ?? offset;
        const to = { offset, lines };
        // The environment writes before the trainer does: what these lines name is in the step log by now.
        this.logs.refresh();
        return { store: () => this.take(taken, first, { path: file, filtered }, to) };
      };
      for (const line of linesFrom(full, offset)) {
        batch.push(line);
        if (batch.length >= TOGETHER) yield flush();
      }
      if (batch.length > 0) yield flush();
    }
  }

  /** Files of which the last line is not whole yet. */
  unfinished(): string[] {
    return rolloutFiles(this.folder, this.name).flatMap(({ path: file }) =>
      fs.statSync(path.join(this.folder, file)).size > this.position(file).offset ? [file] : [],
    );
  }

  private refuse(took: Took, file: string, line: number, reason: string): void {
    const added = statement(
      this.db,
      "insert or ignore into read_back_problem (training_run_id, path, line, reason) values (?, ?, ?, ?)",
    ).run(this.run.id, file, line, reason).changes;
    if (added > 0) took.refused.push({ path: file, line, reason });
  }

  private shrunk(file: string, lines: number): Took {
    const took: Took = { rollouts: 0, void: 0, withoutText: 0, refused: [] };
    this.refuse(
      took,
      file,
      lines + 1,
      "the file is shorter than what was read of it: it was written anew, and is not read again",
    );
    return took;
  }

  private take(lines: Line[], first: number, place: { path: string; filtered: boolean }, to: Position): Took {
    const took: Took = { rollouts: 0, void: 0, withoutText: 0, refused: [] };
    const steps = new Set<number>();
    for (const [i, { text }] of lines.entries()) {
      if (text.trim() === "") continue;
      const record = readRecord(text);
      if ("reason" in record) {
        this.refuse(took, place.path, first + i, record.reason);
        continue;
      }
      const episode = record.episode === null ? null : this.logs.episode(record.episode);
      const done = storeRecord(this.db, this.run, record, episode, place);
      if ("reason" in done) {
        this.refuse(took, place.path, first + i, done.reason);
        continue;
      }
      steps.add(record.step);
      took.rollouts++;
      if (done.voided) took.void++;
      else if (!done.text) took.withoutText++;
    }
    for (const step of steps) storeMetrics(this.db, this.run.id, step);
    statement(
      this.db,
      "insert into read_back_file (training_run_id, path, offset, lines) values (?, ?, ?, ?) on conflict do update set offset = excluded.offset, lines = excluded.lines",
    ).run(this.run.id, place.path, to.offset, to.lines);
    return took;
  }
}
