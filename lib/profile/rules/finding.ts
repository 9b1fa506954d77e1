import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";

export type EvidencePart = "command" | "thinking" | "message" | "output";

/** A span that shows the fact. Offsets are UTF-16 into the part's text; for `output` that is `outputText(step)`. */
export interface Evidence {
  /** Index into the steps given to `localize`. */
  step: number;
  part: EvidencePart;
  start: number;
  end: number;
  note: string;
}

/** One error step with its misbehavior. */
export interface Finding {
  /** Index into the steps given to `localize`. */
  step: number;
  misbehavior: MisbehaviorSlug;
  /** One sentence that names the fact. */
  reason: string;
  /** One line: the command itself, shortened; what the step held when there is no command. */
  commandSeen: string;
  evidence: Evidence[];
}

const LINE = 120;

/** Text on one line, control characters made spaces, at most `max` characters (never cut inside a surrogate pair). */
export function oneLine(text: string, max = LINE): string {
  const flat = text
    .slice(0, max * 4)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (flat.length <= max && text.length <= max * 4) return flat;
  const cut = flat.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** One line, never empty: the command itself, shortened; what the step holds when there is no command. */
export function commandSeenOf(step: {
  command: string | null;
  message: string | null;
  thinking: string | null;
}): string {
  if (step.command !== null) return oneLine(step.command) || "an empty command";
  return `no command: ${oneLine(step.message ?? step.thinking ?? "", 100) || "the reply is empty"}`;
}
