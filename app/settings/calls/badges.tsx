import { Check, CircleHelp, CircleX, Wrench } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { formatCount, formatMoney, UNKNOWN } from "@/lib/text/format";

/** Whether the call came back with a reply. */
export function CallStatus({ status }: { status: "done" | "failed" }) {
  return status === "done" ? (
    <Badge tone="good">
      <Check aria-hidden /> done
    </Badge>
  ) : (
    <Badge tone="bad">
      <CircleX aria-hidden /> failed
    </Badge>
  );
}

/** How its reply was read; nothing where nobody has read it. */
export function CallReading({ reading }: { reading: string | null }) {
  if (reading === null) return <span className="text-muted">{UNKNOWN}</span>;
  if (reading === "repaired")
    return (
      <Badge tone="warn">
        <Wrench aria-hidden /> repaired
      </Badge>
    );
  if (reading === "unparsed")
    return (
      <Badge tone="bad">
        <CircleHelp aria-hidden /> unparsed
      </Badge>
    );
  return <Badge>{reading}</Badge>;
}

/** A number of tokens; a dash, with its meaning, where the provider did not say. */
export function Tokens({ n }: { n: number | null }) {
  return n === null ? (
    <span className="text-muted" title="the provider did not say">
      {UNKNOWN}
    </span>
  ) : (
    formatCount(n)
  );
}

/** What a call cost; a dash where that is not known, which is not nothing. */
export function Cost({
  nano,
  currency,
  fromCache,
}: {
  nano: number | null;
  currency: string | null;
  fromCache: boolean;
}) {
  if (fromCache)
    return (
      <span className="text-muted" title="the reply came from the cache">
        0
      </span>
    );
  if (nano === null || currency === null)
    return (
      <span className="text-muted" title="no price was in force, or tokens were not stated">
        {UNKNOWN}
      </span>
    );
  return formatMoney(nano, currency);
}
