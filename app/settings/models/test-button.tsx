"use client";
import { PlugZap } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import type { Probe } from "@/lib/model/chat/probe";
import { formatCount, formatDuration, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { testModelAction } from "./actions";
import { Refusal, useAction } from "./form";

const tokens = (n: number | null) => (n === null ? `${UNKNOWN} (not stated)` : formatCount(n));

/** Asks the model one question and shows what really came back. */
export function TestButton({ name }: { name: string }) {
  const { busy, error, run } = useAction();
  const [result, setResult] = useState<Probe | null>(null);
  return (
    <>
      <Button
        size="sm"
        disabled={busy}
        aria-label={`Test connection of ${name}`}
        onClick={() => run(() => testModelAction({ name }), setResult)}
      >
        <PlugZap aria-hidden /> {busy ? "Asking…" : "Test connection"}
      </Button>
      <Refusal error={error} />
      <Dialog open={result !== null} onOpenChange={(open) => (open ? undefined : setResult(null))}>
        {result ? (
          <DialogContent title={`${name} ${result.ok ? "answers" : "does not answer"}`}>
            {result.ok ? <Answer probe={result} /> : <Fault probe={result} />}
            {result.callId === null ? null : (
              <Link
                href={`/settings/calls/${result.callId}`}
                className="mt-3 block text-sm text-accent hover:underline"
              >
                {`The whole call ${result.callId}`}
              </Link>
            )}
          </DialogContent>
        ) : null}
      </Dialog>
    </>
  );
}

function Answer({ probe }: { probe: Extract<Probe, { ok: true }> }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <pre className="foreign rounded-md border bg-term p-3 font-mono text-xs whitespace-pre-wrap text-term-text">
        {probe.text === "" ? "(no text)" : visible(probe.text)}
      </pre>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">Took</dt>
        <dd>{formatDuration(probe.durationMs)}</dd>
        <dt className="text-muted">Tokens in</dt>
        <dd>{`${tokens(probe.usage.input)}, of them cached ${tokens(probe.usage.cached)}`}</dd>
        <dt className="text-muted">Tokens out</dt>
        <dd>{`${tokens(probe.usage.output)}, of them reasoning ${tokens(probe.usage.reasoning)}`}</dd>
        <dt className="text-muted">Ended by</dt>
        <dd>{probe.finish}</dd>
        <dt className="text-muted">Thinking</dt>
        <dd>
          {probe.thinking === null
            ? "none came apart from the text"
            : `${formatCount(probe.thinking.length)} characters`}
        </dd>
      </dl>
    </div>
  );
}

function Fault({ probe }: { probe: Extract<Probe, { ok: false }> }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p role="alert" className="foreign text-bad">
        {visible(probe.error)}
      </p>
      <p className="text-muted">{`After ${formatDuration(probe.durationMs)}, ${probe.status === null ? "without an HTTP answer" : `HTTP status ${probe.status}`}.`}</p>
      {probe.reply ? (
        <pre className="foreign max-h-60 overflow-auto rounded-md border bg-term p-3 font-mono text-xs whitespace-pre-wrap text-term-text">
          {visible(probe.reply)}
        </pre>
      ) : null}
    </div>
  );
}
