import "server-only";
import type { CallView, EntryView, ObservationView, TextView } from "@/components/reader/types";
import type { EntryRow } from "@/db/queries/reader-entries";
import { STEP_FLAGS } from "@/db/schema";
import { fold } from "@/lib/text/fold";
import { highlight, type Language } from "@/lib/text/highlight";
import { argumentText, shownMessage, splitObservation } from "@/lib/text/parts";
import type { Observation, ToolCall } from "@/lib/trajectory/types";

function view(text: string, whole: boolean): TextView {
  const folded = whole ? null : fold(text);
  if (!folded) return { text, chars: text.length, cut: null };
  const { head, tail, tailSgr, omittedLines, omittedChars, tailAt } = folded;
  return { text: head, chars: text.length, cut: { tail, tailSgr, omittedLines, omittedChars, tailAt } };
}

const PYTHON_TOOLS = /python|ipython|jupyter/i;

function callView(call: ToolCall, whole: boolean): CallView {
  const language: Language = PYTHON_TOOLS.test(call.name) ? "python" : "bash";
  const args = argumentText(call.arguments, call.command);
  return {
    name: call.name,
    command: call.command === null ? null : highlight(call.command, language),
    commandText: call.command,
    args: args === null ? null : view(args, whole),
  };
}

/** Whether the text around an output says more than markup, exit code and white space. */
const saysMore = (text: string): boolean => /\p{L}/u.test(text.replace(/<[^<>]{1,40}>/g, ""));

function observationView(o: Observation, index: number, contentAt: number, whole: boolean): ObservationView {
  const { before, output, after, at } = splitObservation(o);
  return {
    index,
    callId: o.callId,
    output: output === null ? null : view(output, whole),
    outputAt: contentAt + at,
    before,
    after,
    wrapped: saysMore(before) || saysMore(after),
    full: o.full === null ? null : view(o.full, whole),
    exitCode: o.exitCode,
    timedOut: o.timedOut,
    error: o.error,
  };
}

function observationViews(observations: Observation[], whole: boolean): ObservationView[] {
  let at = 0;
  return observations.map((o, index) => {
    const view = observationView(o, index, at, whole);
    if (o.content !== null) at += o.content.length + 1;
    return view;
  });
}

/** An entry as the reader shows it. `whole` sends long texts unfolded. */
export function entryView(row: EntryRow, whole = false): EntryView {
  const { thinking, message, call, observations, time } = row.body;
  const shown = message === null ? null : shownMessage(message, call?.command ?? null);
  return {
    index: row.index,
    kind: row.kind === "system" || row.kind === "user" ? row.kind : "agent",
    number: row.number,
    turn: row.turn,
    actor: row.actor,
    note: row.note,
    copied: (row.flags & STEP_FLAGS.copied) !== 0,
    time: time && { raw: String(time.raw), ms: time.ms, zoned: time.zoned },
    durationMs: row.durationMs,
    promptTokens: row.promptTokens,
    completionTokens: row.completionTokens,
    costUsd: row.costUsd,
    exitCode: row.exitCode,
    thinking: thinking === null ? null : view(thinking, whole),
    // White space beside a command says nothing; the raw view has it.
    message: shown && (call === null || shown.text.trim() !== "") ? view(shown.text, whole) : null,
    messageCut: shown && shown.chars > 0 ? { at: shown.at, chars: shown.chars } : null,
    call: call && callView(call, whole),
    observations: observationViews(observations, whole),
  };
}
