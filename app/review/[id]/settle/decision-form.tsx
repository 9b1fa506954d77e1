"use client";
import { type RefObject, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { saidText } from "@/lib/review/names";
import type { Said } from "@/lib/review/settle/standing";
import { visible } from "@/lib/text/glyphs";

/** A decision of one's own: an outcome, its types, and the comment that goes with it or with an adopted answer. */
export function DecisionForm({
  verdicts,
  types,
  start,
  comment,
  setComment,
  commentBox,
  firstChoice,
  busy,
  onDecide,
}: {
  verdicts: readonly string[];
  types: { id: number; name: string }[];
  start: Said | null;
  comment: string;
  setComment: (text: string) => void;
  commentBox: RefObject<HTMLTextAreaElement | null>;
  firstChoice: RefObject<HTMLInputElement | null>;
  busy: boolean;
  onDecide: (decision: Said) => void;
}) {
  const id = useId();
  const [verdict, setVerdict] = useState<string | null>(start?.verdict ?? null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(start?.types ?? []));
  const names = Object.fromEntries(types.map((t) => [String(t.id), t.name]));
  const at = verdict === null ? -1 : verdicts.indexOf(verdict);
  const toggle = (type: number) =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(type)) next.add(type);
      return next;
    });
  return (
    <form
      aria-labelledby={`${id}-title`}
      className="flex flex-col gap-2 rounded-lg border bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (verdict !== null) onDecide({ verdict, types: verdict === "types" ? [...chosen] : [] });
      }}
    >
      <h2 id={`${id}-title`} className="font-medium">
        Decide otherwise <Kbd>d</Kbd>
      </h2>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <legend className="sr-only">Outcome</legend>
        {verdicts.map((v, i) => (
          <label key={v} className="flex min-h-7 items-center gap-1.5">
            <input
              ref={i === Math.max(0, at) ? firstChoice : undefined}
              type="radio"
              name={`${id}-verdict`}
              checked={verdict === v}
              onChange={() => setVerdict(v)}
              className="size-4 accent-(--accent)"
            />
            {v === "types" ? "types apply" : saidText({ verdict: v, types: [] }, names)}
          </label>
        ))}
      </fieldset>
      {verdict === "types" ? (
        <fieldset className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-2">
          <legend className="mb-1 text-xs text-muted">
            Types that apply; none: it is wrong, and none of them fits
          </legend>
          {types.map((type) => (
            <label key={type.id} className="flex min-h-7 min-w-0 items-center gap-1.5">
              <input
                type="checkbox"
                checked={chosen.has(type.id)}
                onChange={() => toggle(type.id)}
                className="size-4 shrink-0 accent-(--accent)"
              />
              <span className="foreign min-w-0">{visible(type.name)}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <label className="flex flex-col gap-1 text-sm">
        <span className="text-xs text-muted">
          Comment, kept with whatever is decided or adopted <Kbd>c</Kbd>
        </span>
        <textarea
          ref={commentBox}
          aria-label="Comment"
          rows={2}
          maxLength={10_000}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
          className="min-h-16 w-full rounded-md border border-line-strong bg-surface px-2.5 py-1.5"
        />
      </label>
      <Button type="submit" variant="primary" disabled={busy || verdict === null} className="self-start">
        Settle
      </Button>
    </form>
  );
}
