"use client";
import { FlagNote } from "@/components/reader/flag-note";
import { Badge } from "@/components/ui/badge";
import type { Revealed as RevealedData } from "@/lib/review/serve/reveal";
import { visible } from "@/lib/text/glyphs";
import { verdictText } from "./keys";

/** What others and models said, once it may be seen. */
export function Revealed({ revealed }: { revealed: RevealedData }) {
  const { others, model, settled } = revealed;
  if (others === null && model === null) return null;
  return (
    <section aria-label="What others say" className="flex flex-col gap-2 border-t pt-2">
      <h3 className="text-sm font-semibold">What others say</h3>
      {settled ? (
        <p className="text-sm">
          <Badge tone="accent">settled</Badge>{" "}
          <span className="foreign">{visible(verdictText(settled.verdict, settled.types))}</span>
          {settled.comment ? <span className="foreign text-muted"> · {visible(settled.comment)}</span> : null}
        </p>
      ) : null}
      {others === null ? null : others.length === 0 ? (
        <p className="text-sm text-muted">Nobody else has answered yet.</p>
      ) : (
        <ul className="flex flex-col gap-1 text-sm">
          {others.map((other) => (
            <li key={`${other.name}:${other.round}`}>
              <span className="font-medium">{visible(other.name)}</span>:{" "}
              <span className="foreign">{visible(verdictText(other.verdict, other.types))}</span>
              {other.reason ? <span className="foreign text-muted"> · {visible(other.reason)}</span> : null}
            </li>
          ))}
        </ul>
      )}
      {model?.flag ? <FlagNote flag={model.flag} /> : null}
      {model?.verdicts.map((v) => (
        <p key={v.judge} className="text-sm">
          Judge <span className="foreign">{visible(v.judge)}</span>: {v.answer}
          {v.reason ? <span className="foreign text-muted"> · {visible(v.reason)}</span> : null}
        </p>
      ))}
      {model?.rerun ? (
        <p className="text-sm text-muted">
          Rerun check: {model.rerun.status}, {model.rerun.exact} of {model.rerun.reruns} exact
          {model.rerun.cause ? `, first difference: ${model.rerun.cause}` : ""}
        </p>
      ) : null}
      {model?.corrections.map((c) => (
        <div key={c.id} className="flex flex-col gap-1 text-sm">
          <span className="text-xs text-muted">
            {c.source === "person" ? "A person" : "The teacher"} would have done{c.accepted ? "" : " (rejected)"}
          </span>
          <pre className="foreign rounded-md border bg-surface px-3 py-1.5 font-mono text-[0.8125rem] whitespace-pre-wrap">
            {c.command === "" ? "(no command)" : visible(c.command)}
          </pre>
        </div>
      ))}
    </section>
  );
}
