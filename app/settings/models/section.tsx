import { Check, CircleAlert, CircleMinus } from "lucide-react";
import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import { type KeyState, keyState } from "@/lib/model/chat/keys";
import { listPrices, type Price, priceAt } from "@/lib/model/chat/price";
import {
  defaultTemperature,
  type Endpoint,
  type ModelSettings,
  readSettings,
  SettingsError,
  settingsFile,
} from "@/lib/model/chat/settings";
import { ROLE_NAMES } from "@/lib/model/chat/types";
import { formatCount, UNKNOWN } from "@/lib/text/format";
import { BudgetForm } from "./budget-form";
import { EndpointDialog, type KeyPlace, RemoveEndpoint } from "./endpoint-form";
import { ModelDialog, RemoveModel } from "./model-form";
import { Head, Nothing } from "./parts";
import { Prices } from "./prices";
import { RoleDialog } from "./role-form";
import { TestButton } from "./test-button";

/** What stands in the way of showing a part, said in place of it. */
const faultOf = (error: unknown): string => {
  if (error instanceof SettingsError) return error.message;
  throw error;
};

/** Endpoints, models, roles, budget and prices: the settings file and the price table. */
export function Models({ db }: { db: Db }) {
  let settings: ModelSettings;
  try {
    settings = readSettings();
  } catch (error) {
    return (
      <section id="models" className="flex flex-col gap-2">
        <h2 className="font-medium">Models</h2>
        <p role="alert" className="foreign rounded-lg border border-bad/60 bg-bad-soft p-3 text-sm text-bad">
          {faultOf(error)}. Mend the file; it is not written over.
        </p>
      </section>
    );
  }
  return (
    <section id="models" className="flex flex-col gap-3">
      <div>
        <h2 className="font-medium">Models behind endpoints</h2>
        <p className="text-sm text-muted">
          Who is called for policies, localizers, teachers, annotators and judges. Kept in{" "}
          <code className="foreign font-mono text-xs">{settingsFile()}</code>.{" "}
          <Link href="/settings/calls" className="text-accent hover:underline">
            All model calls and what they cost
          </Link>
        </p>
      </div>
      <Endpoints settings={settings} />
      <ModelTable settings={settings} db={db} />
      <Roles settings={settings} />
      <div className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
        <h3 className="text-sm font-medium">Budget of a job</h3>
        <p className="text-sm text-muted">
          A job that has used it up is paused, with everything it made kept; raise it and resume the job.
        </p>
        <BudgetForm budgets={settings.budgets} />
      </div>
      <Prices settings={settings} rows={listPrices(db)} />
    </section>
  );
}

const placeOf = (state: KeyState): KeyPlace => state.source;

function KeyWords({ state }: { state: KeyState }) {
  const [Icon, tone, text] =
    state.source === "none"
      ? [CircleMinus, "text-muted", "no key"]
      : state.source === "file"
        ? [Check, "text-good", "set in keys.json"]
        : state.set
          ? [Check, "text-good", `set from environment ${state.variable}`]
          : [CircleAlert, "text-bad", `missing: environment ${state.variable} is not set`];
  return (
    <span className={`flex items-center gap-1.5 ${tone}`}>
      <Icon aria-hidden className="size-4 shrink-0" /> {text}
    </span>
  );
}

/** The state of an endpoint's key, or why it cannot be known. */
function keyOf(endpoint: Endpoint): { state: KeyState } | { fault: string } {
  try {
    return { state: keyState(endpoint) };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function Endpoints({ settings }: { settings: ModelSettings }) {
  return (
    <>
      <Head title="Endpoints">
        <EndpointDialog endpoint={null} place="none" />
      </Head>
      {settings.endpoints.length === 0 ? (
        <Nothing>None yet. A vLLM server, a hosted service, or our own: misstep serve-policy.</Nothing>
      ) : (
        <TableFrame label="Endpoints">
          <thead>
            <tr>
              <Th>Endpoint</Th>
              <Th>Protocol</Th>
              <Th>Address</Th>
              <Th>Key</Th>
              <Th>Limits</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {settings.endpoints.map((endpoint) => {
              const key = keyOf(endpoint);
              return (
                <tr key={endpoint.name}>
                  <Td className="foreign min-w-24">{endpoint.name}</Td>
                  <Td>{endpoint.kind}</Td>
                  <Td className="foreign min-w-52 font-mono text-xs">{endpoint.baseUrl}</Td>
                  <Td className="foreign min-w-44">
                    {"state" in key ? <KeyWords state={key.state} /> : <span className="text-bad">{key.fault}</span>}
                  </Td>
                  <Td className="min-w-44 text-muted">
                    {`${endpoint.concurrency} at once, ${endpoint.requestsPerMinute === undefined ? "any rate" : `${endpoint.requestsPerMinute} a minute`}, ${endpoint.timeoutSeconds} s a try, ${endpoint.tries} tries`}
                  </Td>
                  <Td className="py-1">
                    <div className="flex justify-end gap-1.5">
                      <EndpointDialog endpoint={endpoint} place={"state" in key ? placeOf(key.state) : "none"} />
                      <RemoveEndpoint name={endpoint.name} />
                    </div>
                  </Td>
                </tr>
              );
            })}
          </tbody>
        </TableFrame>
      )}
    </>
  );
}

/** A price row in words. */
const priceWords = (price: Price) =>
  `${price.input} / ${price.cached ?? price.input} / ${price.output} ${price.currency}`;

function ModelTable({ settings, db }: { settings: ModelSettings; db: Db }) {
  const endpoints = settings.endpoints.map(({ name, kind }) => ({ name, kind }));
  const now = Date.now();
  return (
    <>
      <Head title="Models">
        <ModelDialog model={null} endpoints={endpoints} />
      </Head>
      {settings.models.length === 0 ? (
        <Nothing>None yet.{endpoints.length === 0 ? " Add an endpoint first." : ""}</Nothing>
      ) : (
        <TableFrame label="Models">
          <thead>
            <tr>
              <Th>Model</Th>
              <Th>Endpoint</Th>
              <Th>Id</Th>
              <Th>Thinking</Th>
              <Th className="text-right">Most output</Th>
              <Th className="text-right">Context</Th>
              <Th>Price now, per million: in / cached / out</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {settings.models.map((model) => {
              const price = priceAt(db, model.name, now);
              return (
                <tr key={model.name}>
                  <Td className="foreign min-w-24">{model.name}</Td>
                  <Td className="foreign min-w-24">{model.endpoint}</Td>
                  <Td className="foreign min-w-32 font-mono text-xs">{model.id}</Td>
                  <Td>{model.thinking ?? "default"}</Td>
                  <Td className="text-right tabular-nums">
                    {model.maxOutputTokens === undefined ? UNKNOWN : formatCount(model.maxOutputTokens)}
                  </Td>
                  <Td className="text-right tabular-nums">
                    {model.contextTokens === undefined ? UNKNOWN : formatCount(model.contextTokens)}
                  </Td>
                  <Td className={price ? "whitespace-nowrap tabular-nums" : "text-muted"}>
                    {price ? priceWords(price) : "none: costs are unknown"}
                  </Td>
                  <Td className="py-1">
                    <div className="flex justify-end gap-1.5">
                      <TestButton name={model.name} />
                      <ModelDialog model={model} endpoints={endpoints} />
                      <RemoveModel name={model.name} />
                    </div>
                  </Td>
                </tr>
              );
            })}
          </tbody>
        </TableFrame>
      )}
    </>
  );
}

function Roles({ settings }: { settings: ModelSettings }) {
  const models = settings.models.map((model) => model.name);
  return (
    <>
      <h3 className="text-sm font-medium">Roles</h3>
      <TableFrame label="Roles" className="max-w-4xl">
        <thead>
          <tr>
            <Th>Role</Th>
            <Th>Played by</Th>
            <Th className="text-right">Temperature</Th>
            <Th>Thinking</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {ROLE_NAMES.filter((role) => role !== "probe").map((role) => {
            const setting = settings.roles[role];
            const model = settings.models.find((one) => one.name === setting?.model);
            return (
              <tr key={role}>
                <Td className="whitespace-nowrap">{role}</Td>
                <Td className={setting ? "foreign" : "text-muted"}>{setting?.model ?? "no model"}</Td>
                <Td className="text-right tabular-nums">
                  {setting ? (setting.temperature ?? defaultTemperature(role)) : UNKNOWN}
                </Td>
                <Td>{setting ? (setting.thinking ?? model?.thinking ?? "default") : UNKNOWN}</Td>
                <Td className="py-1 text-right">
                  <RoleDialog
                    role={role}
                    setting={setting ?? null}
                    models={models}
                    temperature={defaultTemperature(role)}
                  />
                </Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
    </>
  );
}
