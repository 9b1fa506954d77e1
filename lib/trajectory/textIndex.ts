import "server-only";
import { stripVTControlCharacters } from "node:util";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { loadSteps } from "./load";
import { cut } from "./prepare";
import type { Step } from "./types";

/** What the index sees of one text: its head and its tail. The whole stays findable inside the trajectory. UTF-16 units. */
export const INDEX_LIMITS = { command: 16_384, said: 8_192, outputHead: 2_048, outputTail: 1_024 } as const;

function outputOf(step: Step): string {
  return step.observations
    .map((o) => o.full ?? (o.output ? (o.content ?? "").slice(...o.output) : (o.content ?? "")))
    .join("\n");
}

/** The three indexed texts of an entry, or null when there is nothing to find in it. */
export function indexedTexts(step: Step): { command: string; thinking: string; output: string } | null {
  if (step.copied) return null;
  const { outputHead, outputTail } = INDEX_LIMITS;
  const whole = outputOf(step);
  // Without colour codes: "\u001b[31merror" must be found as "error".
  const output = stripVTControlCharacters(
    whole.length <= outputHead + outputTail ? whole : `${whole.slice(0, outputHead)}\n${whole.slice(-outputTail)}`,
  );
  const thinking = [step.thinking, step.message]
    .filter((t) => t !== null && t !== "")
    .map((t) => cut(t ?? "", INDEX_LIMITS.said))
    .join("\n");
  const { call } = step;
  const ran = call
    ? (call.command ?? (typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments)))
    : "";
  const command = cut(ran, INDEX_LIMITS.command);
  return command === "" && thinking === "" && output === "" ? null : { command, thinking, output };
}

/**
 * Takes the texts of a range of step ids out of the index. By single rowids: FTS5 answers a range of rowids of a
 * contentless table by walking all of it.
 */
export const CLEAR_TEXTS =
  "delete from step_fts where rowid in (select id from step_fts_docsize where id between ? and ?)";

/** Puts the texts of stored trajectories into the full-text index and takes them off the pending list. Inside a transaction. */
export function indexTrajectories(db: Db, ids: readonly number[]): number {
  const s = db.$client;
  const clear = s.prepare(CLEAR_TEXTS);
  const add = s.prepare("insert into step_fts (rowid, command, thinking, output) values (?, ?, ?, ?)");
  const done = s.prepare("delete from index_pending where trajectory_id = ?");
  let steps = 0;
  for (const id of ids) {
    clear.run(id * SPAN, id * SPAN + SPAN - 1);
    loadSteps(db, id).forEach((step, i) => {
      const texts = indexedTexts(step);
      if (!texts) return;
      add.run(id * SPAN + i, texts.command, texts.thinking, texts.output);
      steps++;
    });
    done.run(id);
  }
  return steps;
}
