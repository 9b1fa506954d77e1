"use client";
import {
  Ban,
  Bot,
  Braces,
  ChevronDown,
  ChevronRight,
  GraduationCap,
  Settings2,
  TriangleAlert,
  User,
} from "lucide-react";
import { memo } from "react";
import { cn } from "@/components/cn";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Flag } from "@/db/queries/reader-flags";
import { formatCost, formatCount, formatDuration, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { Command } from "./command";
import { useReader } from "./context";
import { CopyButton } from "./copy-button";
import { FlagNote } from "./flag-note";
import { ExitBadge, Output } from "./output";
import { Rejected } from "./rejected";
import { TextPart, useWholeText } from "./text-part";
import type { EntryView, TextView } from "./types";

const NOTES: Record<string, string> = {
  "format-error": "format error: the harness could not read a command",
  exit: "end of the rollout",
  summary: "summary of earlier context",
  demonstration: "demonstration",
  event: "event",
  rejected: "rejected: it did not run",
  correction: "correction: ran in place of the rejected step",
};
const NOTE_LOOKS: Record<string, { tone: "warn" | "bad" | "good"; Icon: typeof Ban }> = {
  "format-error": { tone: "warn", Icon: TriangleAlert },
  rejected: { tone: "bad", Icon: Ban },
  correction: { tone: "good", Icon: GraduationCap },
};
const SPEAKERS = {
  system: { label: "System", Icon: Settings2 },
  user: { label: "User", Icon: User },
  agent: { label: "Agent", Icon: Bot },
};
const TEACHER = { label: "Teacher", Icon: GraduationCap };

const nameOf = (entry: EntryView): string => {
  if (entry.note === "correction") return `Correction, entry ${entry.index}`;
  const name = entry.number === null ? `Entry ${entry.index}` : `Step ${entry.number}`;
  return entry.note === "rejected" ? `${name}, rejected` : name;
};

interface Props {
  entry: EntryView;
  flag: Flag | undefined;
  sameTurn: boolean;
  marked: boolean;
}

/** One entry: a step of the agent, or a message of system or user. */
export const EntryCard = memo(function EntryCard({ entry, flag, sameTurn, marked }: Props) {
  const { detailOf, thinking } = useReader();
  const detail = detailOf(entry.index);
  return (
    <article
      aria-label={nameOf(entry)}
      className={cn(
        "border-l-2 border-transparent px-2 pb-2 sm:pr-4 sm:pl-3",
        sameTurn ? "pt-0" : "border-t border-t-line pt-2",
        flag?.active && "border-l-bad",
        marked && "border-l-accent bg-accent-soft/40",
        entry.copied && "bg-raised/50",
      )}
    >
      <Head entry={entry} flag={flag} sameTurn={sameTurn} />
      {detail === "line" ? null : (
        <div className="flex flex-col gap-1.5 sm:pl-12">
          {flag ? <FlagNote flag={flag} /> : null}
          {entry.thinking && thinking ? (
            <Said
              entry={entry.index}
              part="thinking"
              label="Thinking"
              view={entry.thinking}
              className="border-l-2 border-line-strong/50 pl-3 text-muted"
            />
          ) : null}
          {entry.message && entry.message.chars > 0 ? (
            <Said entry={entry.index} part="message" label="Message" view={entry.message} at={0} />
          ) : null}
          {entry.note === "rejected" ? <Rejected entry={entry} flag={flag} /> : <Body entry={entry} />}
        </div>
      )}
    </article>
  );
});

function Body({ entry }: { entry: EntryView }) {
  const { call, observations } = entry;
  const hasCommand = call?.command != null;
  const quiet = entry.kind === "agent" && call !== null && observations.length === 0;
  return (
    <>
      {call && !hasCommand ? <Badge className="self-start">tool: {visible(call.name)}</Badge> : null}
      {call?.args ? (
        <pre className="foreign rounded-md border bg-surface px-3 py-1.5 font-mono text-xs whitespace-pre-wrap">
          <TextPart entry={entry.index} part="args" view={call.args} />
        </pre>
      ) : null}
      {call || observations.length > 0 ? (
        <div className="min-w-0">
          {call && hasCommand ? <Command entry={entry.index} call={call} /> : null}
          {observations.map((observation) => (
            <Output
              key={observation.index}
              entry={entry.index}
              observation={observation}
              attached={hasCommand || observation.index > 0}
              several={observations.length > 1}
            />
          ))}
          {quiet ? (
            <p className="rounded-b-md border border-t-0 bg-term px-3 py-1 text-xs text-muted">
              No observation is recorded for this call.
            </p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

function Said({
  entry,
  part,
  label,
  view,
  at,
  className,
}: {
  entry: number;
  part: string;
  label: string;
  view: TextView;
  at?: number;
  className?: string;
}) {
  const whole = useWholeText(entry, part);
  return (
    <section aria-label={label} className={cn("group/said relative", className)}>
      <span className="sr-only">{label}</span>
      {part === "thinking" ? <span className="text-2xs tracking-wide uppercase">Thinking</span> : null}
      <div className="foreign max-w-[80ch] text-[0.9375rem] leading-relaxed whitespace-pre-wrap">
        <TextPart entry={entry} part={part} view={view} at={at} />
      </div>
      <span className="absolute -top-1 right-0 opacity-0 group-focus-within/said:opacity-100 group-hover/said:opacity-100">
        <CopyButton label={`Copy ${label.toLowerCase()}`} text={() => whole(view)} />
      </span>
    </section>
  );
}

function Head({ entry, flag, sameTurn }: { entry: EntryView; flag: Flag | undefined; sameTurn: boolean }) {
  const { trajectoryId, detailOf, setDetail, showRaw, jump, actions } = useReader();
  const { label, Icon } = entry.note === "correction" ? TEACHER : SPEAKERS[entry.kind];
  const detail = detailOf(entry.index);
  const folded = detail === "line";
  const place = entry.number === null ? `entry=${entry.index}` : `step=${entry.number}`;
  const address = `/trajectories/${trajectoryId}?${place}`;
  const link = () => `${location.origin}${address}`;
  const first = entry.call?.commandText ?? entry.message?.text ?? "";
  const timedOut = entry.observations.some((o) => o.timedOut);
  return (
    <header
      className={cn(
        "group/head flex min-h-7 flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-muted",
        sameTurn && "pt-1",
      )}
    >
      <button
        type="button"
        aria-expanded={!folded}
        aria-label={folded ? "Show this entry" : "Fold this entry"}
        className="-ml-1 rounded p-0.5 hover:bg-raised hover:text-text"
        onClick={() => setDetail(entry.index, folded ? "folded" : "line")}
      >
        {folded ? <ChevronRight className="size-3.5" aria-hidden /> : <ChevronDown className="size-3.5" aria-hidden />}
      </button>
      {entry.number === null ? (
        <span className="inline-flex items-center gap-1 font-medium text-text">
          <Icon className="size-3.5 text-muted" aria-hidden />
          {label}
        </span>
      ) : (
        <a
          href={address}
          className="min-w-6 text-sm font-semibold text-text tabular-nums hover:underline"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            jump(entry.index);
          }}
        >
          {formatCount(entry.number)}
        </a>
      )}
      {entry.actor ? <span className="foreign max-w-48 truncate">{visible(entry.actor)}</span> : null}
      {sameTurn ? <span title="The same model reply made this call too">↳ same turn</span> : null}
      {entry.copied ? (
        <Badge title="Repeated from an earlier part of the rollout; not counted">copied context</Badge>
      ) : null}
      {entry.note ? <NoteBadge note={entry.note} /> : null}
      {folded ? (
        <>
          {flag ? (
            <Badge tone="bad">
              <TriangleAlert aria-hidden /> {flag.labels[0]?.name ?? "Error step"}
            </Badge>
          ) : null}
          <span
            className={cn(
              "foreign min-w-0 flex-1 truncate font-mono text-text",
              entry.note === "rejected" && "line-through decoration-muted",
            )}
          >
            {visible(first.slice(0, 300))}
          </span>
          <ExitBadge exitCode={entry.exitCode} timedOut={timedOut} />
        </>
      ) : (
        <Facts entry={entry} />
      )}
      {folded ? null : <span className="flex-1" />}
      <span className="flex">
        {actions?.(entry)}
        <CopyButton label="Copy link to this entry" text={link} />
        <Button
          size="icon-sm"
          variant="ghost"
          aria-label="Raw JSON"
          title="Raw JSON as in the file"
          onClick={() => showRaw(entry.index)}
        >
          <Braces aria-hidden />
        </Button>
      </span>
    </header>
  );
}

function NoteBadge({ note }: { note: string }) {
  const look = NOTE_LOOKS[note];
  return (
    <Badge tone={look?.tone ?? "neutral"}>
      {look ? <look.Icon aria-hidden /> : null}
      {NOTES[note] ?? visible(note)}
    </Badge>
  );
}

function Facts({ entry }: { entry: EntryView }) {
  const { promptTokens, completionTokens, costUsd, durationMs, time } = entry;
  return (
    <>
      {durationMs === null ? null : <span title={`${formatCount(durationMs)} ms`}>{formatDuration(durationMs)}</span>}
      {promptTokens === null && completionTokens === null ? null : (
        <span title="prompt tokens → completion tokens">
          {promptTokens === null ? "?" : formatCount(promptTokens)} →{" "}
          {completionTokens === null ? "?" : formatCount(completionTokens)} tokens
        </span>
      )}
      {costUsd === null ? null : <span>{formatCost(costUsd)}</span>}
      {time === null ? null : (
        <time
          className="foreign"
          title={
            time.zoned
              ? `${visible(time.raw)} in the file`
              : `${visible(time.raw)} in the file, without zone; read as UTC`
          }
        >
          {time.ms === null ? visible(time.raw) : formatTime(time.ms, true).slice(11)}
        </time>
      )}
    </>
  );
}
