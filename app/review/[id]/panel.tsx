"use client";
import { Check, CornerDownLeft } from "lucide-react";
import { useId } from "react";
import { cn } from "@/components/cn";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { visible } from "@/lib/text/glyphs";
import type { Chosen } from "./chosen";
import { type Choice, verdictText } from "./keys";

/** What can be said to the item, with a key each; types are switched, everything else is given at once. */
export function Panel({
  choices,
  chosen,
  takenBack,
  said,
  reason,
  reasonFirst,
  noteRef,
  problem,
  onChoice,
  onReason,
  onSubmit,
}: {
  choices: readonly Choice[];
  /** Types that are switched on. */
  chosen: Chosen;
  /** `said` was taken back: it is no answer until it is given again. */
  takenBack: boolean;
  /** Verdict of an answer given before; null for none. */
  said: { verdict: string; types: number[] } | null;
  reason: string;
  reasonFirst: boolean;
  noteRef: React.RefObject<HTMLTextAreaElement | null>;
  problem: string | null;
  onChoice: (choice: Choice) => void;
  onReason: (text: string) => void;
  onSubmit: () => void;
}) {
  const id = useId();
  const types = choices.filter((c) => c.typeId !== undefined);
  const verdicts = choices.filter((c) => c.typeId === undefined);
  const on = chosen.types.size;
  const nameOf = (typeId: number) => types.find((c) => c.typeId === typeId)?.label ?? `type ${typeId}`;
  const unchanged = on === said?.types.length && said.types.every((typeId) => chosen.types.has(typeId));
  const wasSaid = (c: Choice) =>
    said !== null &&
    c.answer !== undefined &&
    said.verdict === c.answer.verdict &&
    (said.verdict !== "types" || said.types.length === 0);
  const note = (
    <div className="flex flex-col gap-1">
      <label htmlFor={`${id}-note`} className="flex items-center gap-1.5 text-xs text-muted">
        <Kbd>n</Kbd> {reasonFirst ? "Reason, before the answer" : "Reason (optional)"}
      </label>
      <textarea
        id={`${id}-note`}
        ref={noteRef}
        value={reason}
        rows={2}
        maxLength={10_000}
        aria-required={reasonFirst}
        aria-describedby={problem ? `${id}-problem` : undefined}
        placeholder="Enter keeps it, Shift+Enter is a new line"
        onChange={(event) => onReason(event.target.value)}
        className="w-full rounded-md border border-line-strong bg-surface px-2.5 py-1.5 text-sm placeholder:text-muted"
      />
    </div>
  );
  return (
    <div className="flex flex-col gap-2">
      <div className="sticky -top-3 z-10 -mx-3 flex flex-col gap-1 bg-surface px-3 empty:hidden">
        {problem ? (
          <p id={`${id}-problem`} role="alert" className="py-1 text-sm text-bad">
            {problem}
          </p>
        ) : chosen.said ? (
          <p role="status" className="foreign py-1 text-sm">
            {visible(chosen.said)}
          </p>
        ) : said && takenBack && unchanged ? (
          <p className="foreign py-1 text-sm">
            Taken back, and kept here: <strong>{visible(verdictText(said.verdict, said.types.map(nameOf)))}</strong>.
            Enter gives it again.
          </p>
        ) : null}
      </div>
      {reasonFirst ? note : null}
      {types.length > 0 ? (
        <fieldset className="flex flex-col gap-0.5">
          <legend className="pb-1 text-xs text-muted">All that apply, then Enter</legend>
          {types.map((choice) => {
            const pressed = chosen.types.has(choice.typeId ?? 0);
            return (
              <button
                key={choice.typeId}
                type="button"
                aria-pressed={pressed}
                aria-keyshortcuts={choice.key || undefined}
                title={visible(choice.note ?? "")}
                onClick={() => onChoice(choice)}
                className={cn(
                  "flex min-h-8 items-center gap-2 rounded-md border px-2 py-1 text-left text-sm hover:bg-raised",
                  pressed ? "border-accent bg-accent-soft" : "border-transparent",
                )}
              >
                {choice.key ? <Kbd>{choice.key}</Kbd> : <span className="w-5" />}
                <span className="foreign min-w-0 flex-1">{visible(choice.label)}</span>
                <Check className={cn("size-4 shrink-0 text-accent", !pressed && "invisible")} aria-hidden />
              </button>
            );
          })}
          <Button variant="primary" className="mt-1" onClick={onSubmit} disabled={on === 0}>
            <CornerDownLeft aria-hidden /> Give {on === 0 ? "the types" : on === 1 ? "1 type" : `${on} types`}
          </Button>
        </fieldset>
      ) : null}
      <div className="flex flex-wrap gap-1.5">
        {verdicts.map((choice) => (
          <button
            key={choice.key}
            type="button"
            aria-keyshortcuts={choice.key}
            aria-pressed={said ? wasSaid(choice) : undefined}
            title={choice.note}
            onClick={() => onChoice(choice)}
            className={cn(
              "inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line-strong/60 bg-surface px-2 py-1 text-sm hover:bg-raised aria-pressed:bg-accent-soft",
              choice.tone === "bad" && "border-bad/60",
              choice.tone === "good" && "border-good/60",
            )}
          >
            <Kbd>{choice.key}</Kbd> {choice.label}
            {wasSaid(choice) ? <Check className="size-4 text-accent" aria-hidden /> : null}
          </button>
        ))}
      </div>
      {reasonFirst ? null : note}
    </div>
  );
}
