import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";

/** How far a file of another engine was read. */
export interface ReadFileRow {
  path: string;
  lines: number;
}

/** Files that were read into a training, in order; empty: it is a training of our own. */
export const readFiles = (db: Db, trainingId: number): ReadFileRow[] =>
  all<ReadFileRow>(db, "select path, lines from read_back_file where training_run_id = ? order by path", trainingId);

/** A line of them that could not be used. */
export interface ReadProblemRow {
  path: string;
  line: number;
  reason: string;
}

/** All such lines, in order. */
export const readProblems = (db: Db, trainingId: number): ReadProblemRow[] =>
  all<ReadProblemRow>(
    db,
    "select path, line, reason from read_back_problem where training_run_id = ? order by path, line",
    trainingId,
  );
