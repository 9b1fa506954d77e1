"use client";
import { ChevronLeft, ChevronRight, LoaderCircle } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useEffect, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { tinyParams } from "./search-params";

/** Draws another example of the family shown: a seed to type, or the one before and after. */
export function SeedField({ seed }: { seed: number }) {
  const [pending, startTransition] = useTransition();
  const [, set] = useQueryStates(tinyParams, { shallow: false, history: "replace", scroll: false, startTransition });
  const [text, setText] = useState(String(seed));
  useEffect(() => setText(String(seed)), [seed]);
  const go = (next: number) => void set({ seed: next });
  const typed = /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
  return (
    <form
      className="flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== null) go(typed);
      }}
    >
      <label htmlFor="seed" className="pr-1 text-sm text-muted">
        Seed
      </label>
      <Button size="icon" aria-label="Seed before" disabled={seed === 0} onClick={() => go(seed - 1)}>
        <ChevronLeft aria-hidden />
      </Button>
      <Input
        id="seed"
        className="w-24 text-right font-mono tabular-nums"
        inputMode="numeric"
        value={text}
        aria-invalid={typed === null}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => typed !== null && typed !== seed && go(typed)}
      />
      <Button size="icon" aria-label="Seed after" onClick={() => go(seed + 1)}>
        <ChevronRight aria-hidden />
      </Button>
      {pending ? <LoaderCircle className="size-4 animate-spin text-muted" aria-label="Drawing" /> : null}
      {typed === null ? (
        <span role="alert" className="text-sm text-bad">
          a whole number from 0 on
        </span>
      ) : null}
    </form>
  );
}
