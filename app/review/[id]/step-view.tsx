"use client";
import { Bot, Settings2, User } from "lucide-react";
import { memo } from "react";
import { cn } from "@/components/cn";
import { Command } from "@/components/reader/command";
import { Output } from "@/components/reader/output";
import { TextPart } from "@/components/reader/text-part";
import type { EntryView } from "@/components/reader/types";
import { Badge } from "@/components/ui/badge";
import { visible } from "@/lib/text/glyphs";

const SPEAKERS = {
  system: { label: "System", Icon: Settings2 },
  user: { label: "User", Icon: User },
  agent: { label: "Agent", Icon: Bot },
};

/** How an entry is called. */
export const entryName = (entry: Pick<EntryView, "kind" | "number" | "index">): string =>
  entry.number === null ? `${SPEAKERS[entry.kind].label}, entry ${entry.index}` : `Step ${entry.number}`;

/** An entry to be judged or read with it: what was said, the command, what came back. Nothing of what anybody says of it. */
export const StepView = memo(function StepView({
  entry,
  asked,
  note,
}: {
  entry: EntryView;
  /** It is what the question is about. */
  asked?: boolean;
  note?: string | undefined;
}) {
  const { Icon } = SPEAKERS[entry.kind];
  const { call, observations } = entry;
  const command = call?.commandText != null;
  return (
    <article
      aria-label={asked ? `${entryName(entry)}, asked about` : entryName(entry)}
      className={cn(
        "flex min-w-0 flex-col gap-1.5 border-l-2 py-2 pr-2 pl-3",
        asked ? "border-l-accent bg-accent-soft/40" : "border-l-transparent",
      )}
    >
      <h3 className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <Icon className="size-3.5" aria-hidden />
        <span className={cn("font-semibold", asked ? "text-sm text-text" : "text-text")}>{entryName(entry)}</span>
        {asked ? <Badge tone="accent">asked about</Badge> : null}
        {note ? <span>{note}</span> : null}
      </h3>
      {entry.thinking && entry.thinking.chars > 0 ? (
        <section aria-label="Thinking" className="border-l-2 border-line-strong/50 pl-3 text-muted">
          <span className="text-2xs tracking-wide uppercase">Thinking</span>
          <div className="foreign max-w-[80ch] leading-relaxed whitespace-pre-wrap">
            <TextPart entry={entry.index} part="thinking" view={entry.thinking} />
          </div>
        </section>
      ) : null}
      {entry.message && entry.message.chars > 0 ? (
        <div className="foreign max-w-[80ch] leading-relaxed whitespace-pre-wrap">
          <TextPart entry={entry.index} part="message" view={entry.message} at={0} />
        </div>
      ) : null}
      {call && !command ? <Badge className="self-start">tool: {visible(call.name)}</Badge> : null}
      {call?.args ? (
        <pre className="foreign rounded-md border bg-surface px-3 py-1.5 font-mono text-xs whitespace-pre-wrap">
          <TextPart entry={entry.index} part="args" view={call.args} />
        </pre>
      ) : null}
      <div className="min-w-0">
        {call && command ? <Command entry={entry.index} call={call} whole={observations.length === 0} /> : null}
        {observations.map((observation) => (
          <Output
            key={observation.index}
            entry={entry.index}
            observation={observation}
            attached={command || observation.index > 0}
            several={observations.length > 1}
          />
        ))}
        {entry.kind === "agent" && call && observations.length === 0 ? (
          <p className="px-1 pt-1 text-xs text-muted">No output is recorded for this command.</p>
        ) : null}
      </div>
    </article>
  );
});
