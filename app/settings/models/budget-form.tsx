"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { Budget } from "@/lib/model/chat/settings";
import { saveBudgetsAction } from "./actions";
import { numberOf, Refusal, TextField, textOf, useAction } from "./form";

/** What one job may use; empty fields do not limit. */
export function BudgetForm({ budgets }: { budgets: Budget }) {
  const { busy, error, run } = useAction();
  const [calls, setCalls] = useState(textOf(budgets.calls));
  const [tokens, setTokens] = useState(textOf(budgets.tokens));
  const [usd, setUsd] = useState(textOf(budgets.usd));
  const [saved, setSaved] = useState(false);
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text);
    setSaved(false);
  };
  return (
    <form
      aria-label="Budget of a job"
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        run(
          () => saveBudgetsAction({ calls: numberOf(calls), tokens: numberOf(tokens), usd: numberOf(usd) }),
          () => setSaved(true),
        );
      }}
    >
      <TextField label="Calls" type="number" min={1} value={calls} onChange={edit(setCalls)} placeholder="no limit" />
      <TextField
        label="Tokens"
        type="number"
        min={1}
        value={tokens}
        onChange={edit(setTokens)}
        placeholder="no limit"
      />
      <TextField
        label="US dollars"
        type="number"
        min={0}
        step="any"
        value={usd}
        onChange={edit(setUsd)}
        placeholder="no limit"
      />
      <Button type="submit" disabled={busy}>
        {busy ? "Saving…" : "Save budget"}
      </Button>
      <span aria-live="polite" className="self-center text-sm text-muted">
        {saved ? "Saved" : ""}
      </span>
      <Refusal error={error} />
    </form>
  );
}
