"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { PAPER_PRICES } from "@/lib/model/chat/paperPrices";
import { plural } from "@/lib/text/format";
import { addPriceAction } from "./actions";
import { ChoiceField, Form, FormDialog, numberOf, TextField, textOf, useAction } from "./form";

const OWN = "(own)";

function PriceForm({
  models,
  today,
  close,
  onAdded,
}: {
  models: string[];
  today: string;
  close: () => void;
  onAdded: (priced: number) => void;
}) {
  const { busy, error, setError, run } = useAction();
  const [model, setModel] = useState(models[0] ?? "");
  const [like, setLike] = useState(OWN);
  const [currency, setCurrency] = useState("USD");
  const [rate, setRate] = useState("");
  const [input, setInput] = useState("");
  const [cached, setCached] = useState("");
  const [output, setOutput] = useState("");
  const [from, setFrom] = useState(today);
  const fill = (label: string) => {
    setLike(label);
    const row = PAPER_PRICES.find((price) => price.label === label);
    if (!row) return;
    setCurrency(row.currency);
    setRate(textOf(row.usdRate));
    setInput(textOf(row.input));
    setCached(textOf(row.cached));
    setOutput(textOf(row.output));
  };
  const submit = () => {
    const validFrom = Date.parse(`${from}T00:00:00Z`);
    if (Number.isNaN(validFrom)) {
      setError("The first day is a date, as 2026-01-31.");
      return;
    }
    run(
      () =>
        addPriceAction({
          model,
          currency,
          usdRate: numberOf(rate),
          input: numberOf(input) ?? Number.NaN,
          cached: numberOf(cached),
          output: numberOf(output) ?? Number.NaN,
          validFrom,
        }),
      ({ priced }) => {
        onAdded(priced);
        close();
      },
    );
  };
  return (
    <Form label="Price" busy={busy} error={error} onSubmit={submit} onCancel={close}>
      <ChoiceField
        label="Model"
        value={model}
        onValueChange={setModel}
        options={models.map((name) => ({ value: name, label: name }))}
      />
      <ChoiceField
        label="Fill in from the paper’s table"
        value={like}
        onValueChange={fill}
        options={[{ value: OWN, label: "own numbers" }, ...PAPER_PRICES.map(({ label }) => ({ value: label, label }))]}
      />
      <div className="grid grid-cols-3 gap-3">
        <TextField label="Input" inputMode="decimal" value={input} onChange={setInput} required />
        <TextField
          label="Cached input"
          inputMode="decimal"
          value={cached}
          onChange={setCached}
          hint="Empty: as input"
        />
        <TextField label="Output" inputMode="decimal" value={output} onChange={setOutput} required />
        <TextField label="Currency" value={currency} onChange={setCurrency} required maxLength={3} />
        {currency.trim().toUpperCase() === "USD" ? null : (
          <TextField label="USD for one" inputMode="decimal" value={rate} onChange={setRate} required />
        )}
        <TextField label="First day (UTC)" type="date" value={from} onChange={setFrom} required />
      </div>
    </Form>
  );
}

/** Adds a price row. */
export function PriceDialog({ models, today }: { models: string[]; today: string }) {
  const [said, setSaid] = useState("");
  return (
    <>
      <FormDialog
        title="New price"
        description="Per million tokens, in force from its first day until a later row. Calls that it covers and that had no price get a cost; others keep theirs."
        trigger={
          <Button size="sm" disabled={models.length === 0}>
            Add a price
          </Button>
        }
      >
        {(close) => (
          <PriceForm
            models={models}
            today={today}
            close={close}
            onAdded={(priced) => setSaid(`Added; ${plural(priced, "earlier call")} had none and got it`)}
          />
        )}
      </FormDialog>
      <span aria-live="polite" className="text-sm text-muted">
        {said}
      </span>
    </>
  );
}
