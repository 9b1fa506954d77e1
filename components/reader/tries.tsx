"use client";
import { Check, ChevronDown, ChevronRight, CircleHelp, X } from "lucide-react";
import { useMemo } from "react";
import { Badge } from "@/components/ui/badge";
import type { CorrectionView } from "@/db/queries/corrections";
import { plural } from "@/lib/text/format";
import { plainLines, visible } from "@/lib/text/glyphs";
import { useReader } from "./context";
import { Lines } from "./lines";

const SOURCES: Record<string, string> = { teacher: "teacher", person: "person", recorded: "recorded" };

/** What came of the tries, in words; `accepted`: number of the one that ran. */
function cameOf(tries: number, accepted: number | null): string {
  if (accepted === null) return tries === 1 ? "it was not accepted" : "none was accepted";
  return tries === 1 ? "it was accepted" : `try ${accepted} was accepted`;
}

function Plain({ text }: { text: string }) {
  const lines = useMemo(() => plainLines(text), [text]);
  return <Lines lines={lines} find={null} active={null} evidence={null} />;
}

/** How a try was judged, in words; a failed call is no verdict. */
function Judged({ one, localizer }: { one: CorrectionView; localizer: string | null }) {
  const { judgement, failure } = one;
  if (failure)
    return (
      <p className="text-warn">
        The teacher gave no step ({failure.kind}): <span className="foreign">{visible(failure.message)}</span>
      </p>
    );
  if (!judgement) return <p className="text-muted">Nobody judged it.</p>;
  const by = localizer ? ` by ${localizer}` : "";
  if (judgement.verdict === "failed" || judgement.verdict === "unparsed")
    return (
      <p className="text-warn">
        No verdict{by} ({judgement.verdict}){judgement.reason ? ": " : "."}
        <span className="foreign">{visible(judgement.reason ?? "")}</span>
      </p>
    );
  return (
    <div className="flex flex-col gap-0.5">
      <p>
        {judgement.verdict === "good" ? "Judged right" : "Flagged"}
        <span className="foreign">{by}</span>
        {judgement.reason ? ": " : "."}
        <span className="foreign">{visible(judgement.reason ?? "")}</span>
      </p>
      {judgement.commandSeen ? (
        <p className="text-muted">
          Command seen: <span className="foreign">{visible(judgement.commandSeen)}</span>
        </p>
      ) : null}
      {judgement.findings.map((finding) => (
        <p key={`${finding.misbehavior} ${finding.reason}`} className="foreign text-muted">
          {visible(finding.misbehavior)}: {visible(finding.reason)}
        </p>
      ))}
    </div>
  );
}

function Try({ one, localizer }: { one: CorrectionView; localizer: string | null }) {
  const { failure, judgement } = one;
  const unknown = failure !== null || judgement?.verdict === "failed" || judgement?.verdict === "unparsed";
  return (
    <li className="flex flex-col gap-1 px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <span className="font-medium text-text">Try {one.attempt}</span>
        <Badge tone={one.accepted ? "good" : unknown ? "warn" : "bad"}>
          {one.accepted ? <Check aria-hidden /> : unknown ? <CircleHelp aria-hidden /> : <X aria-hidden />}
          {one.accepted ? "accepted" : "not accepted"}
        </Badge>
        <span className="foreign">
          {SOURCES[one.source] ?? visible(one.source)} {visible(one.sourceName ?? "")}
        </span>
      </p>
      {one.thinking ? (
        <p className="foreign max-w-[80ch] border-l-2 border-line-strong/50 pl-3 whitespace-pre-wrap text-muted">
          <Plain text={one.thinking} />
        </p>
      ) : null}
      {one.command === "" ? (
        <p className="text-xs text-muted">No command.</p>
      ) : (
        <pre className="foreign rounded-md border bg-surface px-3 py-1.5 font-mono text-[0.8125rem] leading-[1.45] whitespace-pre-wrap">
          <Plain text={one.command} />
        </pre>
      )}
      <Judged one={one} localizer={localizer} />
    </li>
  );
}

/** Every try for a rejected step, on demand. */
export function Tries({
  entry,
  tries,
  teacher,
  localizer,
}: {
  entry: number;
  tries: CorrectionView[];
  teacher: string | null;
  localizer: string | null;
}) {
  const { isOn, toggle } = useReader();
  const key = `${entry}:tries`;
  const open = isOn(key);
  const accepted = tries.find((one) => one.accepted === 1);
  return (
    <div className="rounded-md border bg-surface">
      <button
        type="button"
        aria-expanded={open}
        className="flex w-full flex-wrap items-center gap-1.5 px-3 py-1 text-left text-xs text-muted hover:text-text"
        onClick={() => toggle(key)}
      >
        {open ? <ChevronDown className="size-3.5" aria-hidden /> : <ChevronRight className="size-3.5" aria-hidden />}
        <span className="foreign">
          {plural(tries.length, "try", "tries")} by {teacher ? visible(teacher) : "the teacher"}:{" "}
          {cameOf(tries.length, accepted?.attempt ?? null)}
        </span>
      </button>
      {open ? (
        <ol className="divide-y border-t">
          {tries.map((one) => (
            <Try key={one.id} one={one} localizer={localizer} />
          ))}
        </ol>
      ) : null}
    </div>
  );
}
