"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { Endpoint } from "@/lib/model/chat/settings";
import { removeEndpointAction, saveEndpointAction } from "./actions";
import { ChoiceField, Form, FormDialog, numberOf, RemoveButton, TextField, textOf, useAction } from "./form";

const KINDS = [
  { value: "openai", label: "OpenAI-compatible (vLLM, LiteLLM, llama.cpp, …)" },
  { value: "anthropic", label: "Anthropic" },
  { value: "google", label: "Google" },
];
const ADDRESSES: Record<string, string> = {
  openai: "http://127.0.0.1:8000/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
};
const KEY_PLACES = [
  { value: "none", label: "No key" },
  { value: "environment", label: "An environment variable" },
  { value: "file", label: "keys.json (mode 0600)" },
];

/** Where a key is; never the key. */
export type KeyPlace = "none" | "environment" | "file";

function EndpointForm({ endpoint, place, close }: { endpoint: Endpoint | null; place: KeyPlace; close: () => void }) {
  const { busy, error, run } = useAction();
  const [name, setName] = useState(endpoint?.name ?? "");
  const [kind, setKind] = useState<string>(endpoint?.kind ?? "openai");
  const [baseUrl, setBaseUrl] = useState(endpoint?.baseUrl ?? ADDRESSES.openai ?? "");
  const [keyPlace, setKeyPlace] = useState<string>(place);
  const [keyEnv, setKeyEnv] = useState(endpoint?.keyEnv ?? "");
  const [key, setKey] = useState("");
  const [concurrency, setConcurrency] = useState(textOf(endpoint?.concurrency ?? 4));
  const [perMinute, setPerMinute] = useState(textOf(endpoint?.requestsPerMinute));
  const [timeout, setTimeout] = useState(textOf(endpoint?.timeoutSeconds ?? 120));
  const [tries, setTries] = useState(textOf(endpoint?.tries ?? 5));
  const inFile = keyPlace === "file";
  const submit = () =>
    run(
      () =>
        saveEndpointAction({
          was: endpoint?.name ?? null,
          endpoint: {
            name,
            kind: kind as Endpoint["kind"],
            baseUrl,
            keyEnv: keyPlace === "environment" ? keyEnv : undefined,
            concurrency: numberOf(concurrency),
            requestsPerMinute: numberOf(perMinute),
            timeoutSeconds: numberOf(timeout),
            tries: numberOf(tries),
          },
          key: inFile ? (key === "" ? null : key) : place === "file" ? "" : null,
        }),
      close,
    );
  return (
    <Form label="Endpoint" busy={busy} error={error} onSubmit={submit} onCancel={close}>
      <TextField label="Name" value={name} onChange={setName} required />
      <ChoiceField
        label="Protocol"
        value={kind}
        onValueChange={(next) => {
          if (baseUrl === ADDRESSES[kind]) setBaseUrl(ADDRESSES[next] ?? "");
          setKind(next);
        }}
        options={KINDS}
      />
      <TextField
        label="Base address"
        value={baseUrl}
        onChange={setBaseUrl}
        required
        hint="With the version part, without what comes after it"
      />
      <ChoiceField label="Key" value={keyPlace} onValueChange={setKeyPlace} options={KEY_PLACES} />
      {keyPlace === "environment" ? (
        <TextField
          label="Name of the variable"
          value={keyEnv}
          onChange={setKeyEnv}
          required
          hint="Set it where Misstep is started; worker and pages read it at their start"
        />
      ) : null}
      {inFile ? (
        <TextField
          label="Key to write"
          type="password"
          autoComplete="new-password"
          value={key}
          onChange={setKey}
          required={place !== "file"}
          hint={
            place === "file"
              ? "One is set and is never shown; leave this empty to keep it"
              : "It is written to keys.json and never shown again"
          }
        />
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Requests at once"
          type="number"
          min={1}
          value={concurrency}
          onChange={setConcurrency}
          required
        />
        <TextField
          label="Requests a minute"
          type="number"
          min={1}
          step="any"
          value={perMinute}
          onChange={setPerMinute}
          hint="Empty: no limit"
        />
        <TextField
          label="Seconds a try"
          type="number"
          min={1}
          step="any"
          value={timeout}
          onChange={setTimeout}
          required
        />
        <TextField label="Tries a call" type="number" min={1} max={20} value={tries} onChange={setTries} required />
      </div>
    </Form>
  );
}

/** Adds an endpoint, or changes one. */
export function EndpointDialog({ endpoint, place }: { endpoint: Endpoint | null; place: KeyPlace }) {
  return (
    <FormDialog
      title={endpoint ? `Endpoint ${endpoint.name}` : "New endpoint"}
      description="A server that models are called at. Limits hold for all its models together, in each process."
      trigger={
        <Button size="sm" aria-label={endpoint ? `Edit endpoint ${endpoint.name}` : undefined}>
          {endpoint ? "Edit" : "Add an endpoint"}
        </Button>
      }
    >
      {(close) => <EndpointForm endpoint={endpoint} place={place} close={close} />}
    </FormDialog>
  );
}

export function RemoveEndpoint({ name }: { name: string }) {
  return <RemoveButton what={`endpoint ${name}`} action={() => removeEndpointAction({ name })} />;
}
