import { Check, CircleDashed, CircleSlash2, Equal, EqualNot, type LucideIcon, Shuffle } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { EXPLANATIONS } from "@/lib/prefix/explain";
import type { Cause, PrefixStatus, RerunVerdict } from "@/lib/prefix/types";

type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

const STATUS: Record<PrefixStatus, { tone: Tone; Icon: LucideIcon; title: string }> = {
  pending: { tone: "neutral", Icon: CircleDashed, title: "Not rerun yet, or not often enough" },
  kept: { tone: "good", Icon: Check, title: "Every rerun showed exactly what was recorded" },
  different: { tone: "bad", Icon: EqualNot, title: "Every rerun showed something else than was recorded" },
  flaky: { tone: "warn", Icon: Shuffle, title: "Reruns disagree: some exact, some not" },
  void: { tone: "neutral", Icon: CircleSlash2, title: "No statement: it could not be rerun" },
};

const VERDICT: Record<RerunVerdict, { tone: Tone; Icon: LucideIcon }> = {
  exact: { tone: "good", Icon: Equal },
  different: { tone: "bad", Icon: EqualNot },
  void: { tone: "neutral", Icon: CircleSlash2 },
};

/** State of a prefix by word, icon and colour. */
export function PrefixStatusBadge({ status }: { status: string }) {
  const { tone, Icon, title } = STATUS[status as PrefixStatus] ?? STATUS.pending;
  return (
    <Badge tone={tone} title={title}>
      <Icon aria-hidden /> {status}
    </Badge>
  );
}

/** Verdict of one rerun. */
export function VerdictBadge({ verdict }: { verdict: string }) {
  const { tone, Icon } = VERDICT[verdict as RerunVerdict] ?? VERDICT.void;
  return (
    <Badge tone={tone}>
      <Icon aria-hidden /> {verdict}
    </Badge>
  );
}

/** What a cause class is called. */
export const causeName = (cause: string): string => EXPLANATIONS[cause as Cause]?.name ?? cause;

/** Why a rerun differs. */
export function CauseBadge({ cause }: { cause: string | null }) {
  if (cause === null) return null;
  return <Badge title={EXPLANATIONS[cause as Cause]?.sentence}>{causeName(cause)}</Badge>;
}
