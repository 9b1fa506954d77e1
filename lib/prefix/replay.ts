import type { FormatId, Observation, Step } from "@/lib/trajectory/types";
import { type Basis, type Seen, withoutExitLine } from "./compare";

/** One command of a prefix with what the policy saw for it. */
export interface ReplayStep {
  /** Index of the entry in its trajectory. */
  index: number;
  command: string;
  recorded: Seen;
  basis: Basis;
}

/** The commands of a prefix in order, or why it cannot be rerun at all. */
export type Replay =
  | {
      kind: "commands";
      steps: ReplayStep[];
      /** `output` as soon as one command is compared that way. */
      basis: Basis;
      /** The recording harness ran every command in a shell of its own, so cwd and variables did not persist. */
      ownShells: boolean;
    }
  | { kind: "void"; index: number; reason: string };

/** The wrapper of recipe 2: a blank line and the exit code end what the policy saw. */
const OWN_WRAPPER = /\n\n\(exit_code=(-?\d+)\)$/;
/** Marks that harnesses put where they left something out. */
const SHORTENED =
  /<elided_chars>|\[\.\.\. Observation truncated|<response clipped>|\[?\.\.\. ?(?:\d+ )?(?:characters|lines|bytes) (?:omitted|elided|truncated)/i;
/** Entries that are nothing to run: what is no step of this rollout, and what was stopped before it ran. Corrections ran. */
const leavesNothing = (entry: Step): boolean =>
  entry.kind !== "agent" || entry.copied || entry.note === "demonstration" || entry.note === "rejected";
const STATELESS: ReadonlySet<FormatId> = new Set(["mini-swe-agent-1", "mini-swe-agent-2"]);

/** For finding the cause: without the wrapper's exit code line, which is compared by itself. */
export const seenForDiagnosis = (seen: Seen, basis: Basis): Seen =>
  basis === "observation" ? { ...seen, text: withoutExitLine(seen.text) } : seen;

type Reading = { seen: Seen; basis: Basis } | { reason: string };

/** Terminal output as two harnesses agree on it: they differ in the line feeds at its end. */
export const trimEnd = (text: string): string => text.replace(/\n+$/, "");

function read(format: FormatId, o: Observation): Reading {
  if (o.timedOut)
    return { reason: "ran into its time limit when it was recorded, and a timed-out command is not replayable" };
  if (o.content === null) return { reason: "has no recorded output" };
  const own = OWN_WRAPPER.exec(o.content);
  if (format === "misstep" || own)
    return { seen: { text: o.content, exitCode: o.exitCode ?? (own ? Number(own[1]) : null) }, basis: "observation" };
  if (o.full === null && SHORTENED.test(o.content))
    return { reason: "has a recorded output that its harness shortened" };
  if (o.output === null)
    return {
      reason: `has a recorded output in a form that cannot be compared: the format ${format} does not say which part of it is terminal output`,
    };
  const text = o.full ?? o.content.slice(...o.output);
  return { seen: { text: trimEnd(text), exitCode: o.exitCode }, basis: "output" };
}

function readStep(format: FormatId, step: Step): Reading {
  const call = step.call;
  if (call?.command == null) return { reason: `calls the tool "${call?.name}", which is no shell command` };
  const typed = typeof call.arguments === "object" && call.arguments !== null && "keystrokes" in call.arguments;
  if (typed || call.name === "keystrokes")
    return { reason: "types keys into a terminal, so it is no command to run again" };
  const [only, ...more] = step.observations;
  if (!only) return { reason: "has no recorded output of its own" };
  if (more.length > 0)
    return { reason: "has several recorded outputs, and which of them is the command's is not known" };
  return read(format, only);
}

/**
 * What rerunning the entries before `upTo` means. Steps without a call (format errors) replay as their fixed message:
 * nothing runs. Copied context and rejected steps are skipped, a teacher's corrections are run. A single step that cannot be run or compared makes the whole prefix void.
 */
export function replayOf(format: FormatId, entries: readonly Step[], upTo: number): Replay {
  const steps: ReplayStep[] = [];
  for (const [index, entry] of entries.slice(0, upTo).entries()) {
    if (leavesNothing(entry) || entry.call === null) continue;
    const reading = readStep(format, entry);
    if ("reason" in reading) return { kind: "void", index, reason: reading.reason };
    steps.push({ index, command: entry.call.command ?? "", recorded: reading.seen, basis: reading.basis });
  }
  return {
    kind: "commands",
    steps,
    basis: steps.some((s) => s.basis === "output") ? "output" : "observation",
    ownShells: STATELESS.has(format),
  };
}
