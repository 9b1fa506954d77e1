"use client";
import { Timer } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { saidText } from "@/lib/review/names";
import type { DeskGroup } from "@/lib/review/settle/desk";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** What was answered, side by side; each can be adopted. */
export function AnswerCards({
  groups,
  names,
  busy,
  onAdopt,
}: {
  groups: DeskGroup[];
  names: Readonly<Record<string, string>>;
  busy: boolean;
  onAdopt: (n: number) => void;
}) {
  if (groups.length === 0) return <p className="text-sm text-muted">Nobody has answered yet.</p>;
  return (
    <ol aria-label="Answers" className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-3">
      {groups.map((group, i) => {
        const text = saidText(group, names);
        return (
          <li
            key={`${group.verdict} ${group.types.join(" ")}`}
            className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-3"
          >
            <div className="flex flex-wrap items-start gap-2">
              <h3 className="min-w-0 flex-1 font-medium">{visible(text)}</h3>
              <span className="text-xs text-muted">{plural(group.answers.length, "person", "people")}</span>
            </div>
            <ul className="flex flex-1 flex-col gap-1.5 text-sm">
              {group.answers.map((answer, k) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: hidden people have nothing else that tells them apart
                <li key={k} className="min-w-0 border-l-2 pl-2">
                  <span className="flex flex-wrap items-center gap-1.5 text-xs text-muted">
                    {answer.person === null ? null : <span className="foreign">{visible(answer.person)}</span>}
                    {answer.seconds === null ? "time not known" : `${answer.seconds.toFixed(0)} s`}
                    {answer.round > 1 ? <span>round {answer.round}</span> : null}
                    {answer.tooFast ? (
                      <Badge tone="warn">
                        <Timer aria-hidden /> too fast to have read it
                      </Badge>
                    ) : null}
                  </span>
                  {answer.reason === null || answer.reason === "" ? (
                    <span className="text-muted">no reason given</span>
                  ) : (
                    <span className="foreign whitespace-pre-wrap">{visible(answer.reason)}</span>
                  )}
                </li>
              ))}
            </ul>
            <Button
              disabled={busy}
              onClick={() => onAdopt(i + 1)}
              aria-keyshortcuts={String(i + 1)}
              className="self-start"
            >
              <Kbd>{i + 1}</Kbd> Adopt<span className="sr-only"> this answer: {visible(text)}</span>
            </Button>
          </li>
        );
      })}
    </ol>
  );
}
