import { Check, CircleDashed, CircleSlash2, FileQuestion, X } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { CheckSummary, EnvironmentState } from "@/db/queries/environmentList";
import { formatReward, formatTime } from "@/lib/text/format";

const STATES = {
  sound: { tone: "good", Icon: Check, title: "Its reference solution gets 1, doing nothing gets 0" },
  unsound: { tone: "bad", Icon: X, title: "A check came out otherwise: the solution fails, or doing nothing passes" },
  void: { tone: "warn", Icon: CircleSlash2, title: "A check could not be run: nothing is known, which is not 0" },
  unchecked: { tone: "neutral", Icon: CircleDashed, title: "Not checked since its files are as they are" },
  bare: { tone: "neutral", Icon: FileQuestion, title: "Only trajectories name it: it has no files here" },
} as const;

const WORDS: Record<EnvironmentState, string> = {
  sound: "sound",
  unsound: "not sound",
  void: "void",
  unchecked: "unchecked",
  bare: "no files",
};

/** Where the newest checks leave an environment. */
export function StateBadge({ state }: { state: EnvironmentState }) {
  const { tone, Icon, title } = STATES[state];
  return (
    <Badge tone={tone} title={title}>
      <Icon aria-hidden />
      {WORDS[state]}
    </Badge>
  );
}

/** Outcome reward of a check: a number, void, or not run yet. */
export function CheckCell({ check, expected }: { check: CheckSummary | null; expected: number }) {
  if (check === null) return <span className="text-muted">not run</span>;
  const when = `${formatTime(check.createdAt)} UTC under ${check.driver}`;
  const old = check.outdated ? <span className="text-xs text-muted"> of older files</span> : null;
  if (check.status === "void" || check.reward === null)
    return (
      <span title={`${when}: ${check.voidReason ?? ""}`}>
        <Badge tone="warn">
          <CircleSlash2 aria-hidden /> void
        </Badge>
        {old}
      </span>
    );
  const right = expected === 1 ? check.reward >= 1 : check.reward === expected;
  return (
    <span title={`${when}; ${expected} is expected`}>
      <Badge tone={right ? "good" : "bad"}>
        {right ? <Check aria-hidden /> : <X aria-hidden />} {formatReward(check.reward)}
      </Badge>
      {old}
    </span>
  );
}
