import { Check, CircleDashed, CircleSlash2, TriangleAlert, X } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { formatReward } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const LOOKS = {
  passed: { tone: "good", Icon: Check },
  partial: { tone: "warn", Icon: CircleSlash2 },
  failed: { tone: "bad", Icon: X },
  unknown: { tone: "neutral", Icon: CircleDashed },
} as const;

/** Outcome as word, icon and colour, with reward and exception where there are any. */
export function OutcomeBadge({
  outcome,
  reward,
  exception,
}: {
  outcome: string;
  reward?: number | null;
  exception?: string | null;
}) {
  const { tone, Icon } = LOOKS[outcome as keyof typeof LOOKS] ?? LOOKS.unknown;
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <Badge tone={tone} title={outcome === "unknown" ? "The file states no outcome" : undefined}>
        <Icon aria-hidden />
        {outcome}
        {reward === null || reward === undefined ? null : <span>r = {formatReward(reward)}</span>}
      </Badge>
      {exception ? (
        <Badge tone="warn" title={visible(exception)}>
          <TriangleAlert aria-hidden />
          <span className="max-w-40 truncate">{visible(exception)}</span>
        </Badge>
      ) : null}
    </span>
  );
}
