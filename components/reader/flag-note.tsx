"use client";
import { type Check, CircleHelp, CornerUpLeft, TriangleAlert, X } from "lucide-react";
import Link from "next/link";
import { useMemo } from "react";
import { cn } from "@/components/cn";
import { Badge } from "@/components/ui/badge";
import type { EvidenceLink, Flag, FlagLabel, FlagReason } from "@/db/queries/reader-flags";
import { plainLines, visible } from "@/lib/text/glyphs";
import { useReader } from "./context";
import { Lines } from "./lines";

const SOURCES: Record<string, string> = { rule: "", model: "model ", person: "", dataset: "data set " };
const WORDS: Record<string, string> = {
  good: "calls it good",
  failed: "the call failed",
  unparsed: "the reply could not be read",
};
const VALUES: Record<string, { text: string; Icon: typeof Check }> = {
  yes: { text: "yes", Icon: TriangleAlert },
  no: { text: "no", Icon: X },
  unsure: { text: "unsure", Icon: CircleHelp },
  "environment-fault": { text: "fault of the environment", Icon: CircleHelp },
};

/** What was said about an error step: misbehaviors with their source, reasons with evidence. */
export function FlagNote({ flag }: { flag: Flag }) {
  return (
    <section
      aria-label="Flagged"
      className={cn(
        "flex flex-col gap-1 rounded-md border px-3 py-1.5 text-sm",
        flag.active ? "border-bad/40 bg-bad-soft/50" : "border-dashed",
      )}
    >
      <div className="flex flex-wrap items-center gap-1.5">
        {flag.labels.length === 0 ? (
          <Badge tone="bad">
            <TriangleAlert aria-hidden /> Error step without a misbehavior
          </Badge>
        ) : (
          flag.labels.map((label) => <LabelBadge key={label.id} label={label} />)
        )}
        {flag.active ? null : <span className="text-xs text-muted">no longer counted: no current source says so</span>}
      </div>
      {flag.reasons.map((reason, i) => (
        <Reason key={reason.id} reason={reason} part={`reason${i}`} flag={flag} />
      ))}
      {flag.others.map((other) => (
        <p key={other.id} className="text-xs text-muted">
          <span className="foreign">{visible(`${SOURCES[other.source] ?? ""}${other.by}`)}</span>:{" "}
          {WORDS[other.verdict] ?? other.verdict}
          {other.reason ? (
            <>
              : <span className="foreign">{visible(other.reason)}</span>
            </>
          ) : null}
        </p>
      ))}
    </section>
  );
}

function LabelBadge({ label }: { label: FlagLabel }) {
  const value = VALUES[label.value] ?? { text: label.value, Icon: CircleHelp };
  const source = `${SOURCES[label.source] ?? ""}${label.by}`;
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <Link
        href={`/misbehaviors/${encodeURIComponent(label.slug)}`}
        prefetch={false}
        className="max-w-full hover:underline"
      >
        <Badge tone={label.value === "yes" ? "bad" : "neutral"}>
          <value.Icon aria-hidden />
          <span className="foreign truncate font-medium">{visible(label.name)}</span>
          {label.value === "yes" ? null : <span>: {value.text}</span>}
        </Badge>
      </Link>
      <span className="foreign text-2xs text-muted">by {visible(source)}</span>
    </span>
  );
}

function Reason({ reason, part, flag }: { reason: FlagReason; part: string; flag: Flag }) {
  const { find } = useReader();
  const lines = useMemo(() => plainLines(reason.reason ?? ""), [reason.reason]);
  const active = find.active?.entry === flag.entry && find.active.part === part ? find.active.n : null;
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      {reason.reason === null ? (
        <span className="text-muted">No reason is given.</span>
      ) : (
        <span className="foreign whitespace-pre-wrap">
          <Lines lines={lines} find={find.pattern} active={active} evidence={null} />
        </span>
      )}
      {flag.labels.some((label) => label.by === reason.by) ? null : (
        <span className="foreign text-2xs text-muted">by {visible(`${SOURCES[reason.source] ?? ""}${reason.by}`)}</span>
      )}
      {reason.evidence.map((evidence) => (
        <EvidenceButton key={evidence.index} evidence={evidence} here={flag.entry} />
      ))}
    </div>
  );
}

function EvidenceButton({ evidence, here }: { evidence: EvidenceLink; here: number }) {
  const { jump } = useReader();
  const { entry, part, start, end } = evidence;
  if (entry === null)
    return evidence.note ? <span className="foreign text-xs text-muted">{visible(evidence.note)}</span> : null;
  const place = entry === here ? "this step" : (evidence.place ?? `entry ${entry}`);
  const span = part !== null && start !== null && end !== null ? { entry, part, start, end } : undefined;
  return (
    <button
      type="button"
      onClick={() => jump(entry, span)}
      title={evidence.note === null ? undefined : visible(evidence.note)}
      className="inline-flex items-center gap-1 rounded bg-surface px-1.5 text-xs text-accent hover:underline"
    >
      <CornerUpLeft className="size-3" aria-hidden />
      {evidence.note ? `${visible(evidence.note)}: ` : ""}
      {part ?? "evidence"} of {place}
    </button>
  );
}
