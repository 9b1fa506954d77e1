"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { Model } from "@/lib/model/chat/settings";
import { THINKING_LEVELS, type Thinking } from "@/lib/model/chat/types";
import { removeModelAction, saveModelAction } from "./actions";
import { ChoiceField, Form, FormDialog, numberOf, RemoveButton, TextField, textOf, useAction } from "./form";

const THINKING_WORDS: Record<Thinking, string> = {
  default: "as the server does by default",
  off: "off",
  low: "low",
  medium: "medium",
  high: "high",
};
export const THINKING_OPTIONS = THINKING_LEVELS.map((value) => ({ value, label: THINKING_WORDS[value] }));
const BY = [
  { value: "effort", label: "reasoning_effort" },
  { value: "template", label: "chat_template_kwargs.enable_thinking" },
];

/** What the form needs of an endpoint. */
export interface EndpointChoice {
  name: string;
  kind: string;
}

function ModelForm({
  model,
  endpoints,
  close,
}: {
  model: Model | null;
  endpoints: EndpointChoice[];
  close: () => void;
}) {
  const { busy, error, run } = useAction();
  const [name, setName] = useState(model?.name ?? "");
  const [endpoint, setEndpoint] = useState(model?.endpoint ?? endpoints[0]?.name ?? "");
  const [id, setId] = useState(model?.id ?? "");
  const [thinking, setThinking] = useState<string>(model?.thinking ?? "default");
  const [by, setBy] = useState<string>(model?.thinkingBy ?? "effort");
  const [output, setOutput] = useState(textOf(model?.maxOutputTokens));
  const [context, setContext] = useState(textOf(model?.contextTokens));
  const openai = endpoints.find((one) => one.name === endpoint)?.kind === "openai";
  const submit = () =>
    run(
      () =>
        saveModelAction({
          was: model?.name ?? null,
          model: {
            name,
            endpoint,
            id,
            thinking: thinking === "default" ? undefined : (thinking as Thinking),
            thinkingBy: openai && by === "template" ? "template" : undefined,
            maxOutputTokens: numberOf(output),
            contextTokens: numberOf(context),
          },
        }),
      close,
    );
  return (
    <Form label="Model" busy={busy} error={error} onSubmit={submit} onCancel={close}>
      <TextField label="Name" value={name} onChange={setName} required hint="Calls and prices are kept under it" />
      <ChoiceField
        label="Endpoint"
        value={endpoint}
        onValueChange={setEndpoint}
        options={endpoints.map((one) => ({ value: one.name, label: one.name }))}
      />
      <TextField label="Id" value={id} onChange={setId} required hint="What the server calls it, as Qwen/Qwen3-4B" />
      <ChoiceField label="Thinking" value={thinking} onValueChange={setThinking} options={THINKING_OPTIONS} />
      {openai ? (
        <ChoiceField
          label="Thinking level is sent as"
          value={by}
          onValueChange={setBy}
          options={BY}
          hint="The second is for templates of vLLM and SGLang that know only on and off"
        />
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Most output tokens"
          type="number"
          min={1}
          value={output}
          onChange={setOutput}
          hint="Empty: not sent"
        />
        <TextField
          label="Context, tokens"
          type="number"
          min={1}
          value={context}
          onChange={setContext}
          hint="Empty: not known"
        />
      </div>
    </Form>
  );
}

/** Adds a model, or changes one. */
export function ModelDialog({ model, endpoints }: { model: Model | null; endpoints: EndpointChoice[] }) {
  return (
    <FormDialog
      title={model ? `Model ${model.name}` : "New model"}
      trigger={
        <Button size="sm" disabled={endpoints.length === 0} aria-label={model ? `Edit model ${model.name}` : undefined}>
          {model ? "Edit" : "Add a model"}
        </Button>
      }
    >
      {(close) => <ModelForm model={model} endpoints={endpoints} close={close} />}
    </FormDialog>
  );
}

export function RemoveModel({ name }: { name: string }) {
  return <RemoveButton what={`model ${name}`} action={() => removeModelAction({ name })} />;
}
