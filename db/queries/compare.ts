import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { STEP_FLAGS } from "@/db/schema";
import { all } from "./prepared";

/** A step as the comparison shows it. */
export interface ComparedStep {
  entry: number;
  number: number;
  /** Beginning of the command, or of the message where there is none. */
  preview: string;
  isCommand: boolean;
  exitCode: number | null;
  timedOut: boolean;
  flagged: boolean;
  /** A localizer stopped it: it did not run. */
  rejected: boolean;
}

type Row = Omit<ComparedStep, "entry" | "isCommand" | "timedOut" | "flagged" | "rejected"> & {
  id: number;
  tool: string | null;
  flags: number;
  flag: number | null;
  note: string | null;
};

/** The numbered steps of a trajectory, in order. */
export function comparedSteps(db: Db, id: number): ComparedStep[] {
  const rows = all<Row>(
    db,
    `select s.id, s.number, s.preview, s.tool, s.exit_code as exitCode, s.flags, s.note, e.active as flag
     from step s left join error_step e on e.step_id = s.id
     where s.id between ? and ? and s.number is not null order by s.id`,
    id * SPAN,
    id * SPAN + SPAN - 1,
  );
  return rows.map(({ id: stepId, tool, flags, flag, note, ...row }) => ({
    ...row,
    entry: stepId - id * SPAN,
    isCommand: tool !== null,
    timedOut: (flags & STEP_FLAGS.timedOut) !== 0,
    flagged: flag === 1,
    rejected: note === "rejected",
  }));
}
