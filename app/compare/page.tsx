import { Gauge } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { judgeChoices, policyChoices, weightsElsewhere } from "@/app/profiles/policies";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { heldoutPrefixes, listMeasurements } from "@/db/queries/measurements";
import { visible } from "@/lib/text/glyphs";
import { Measurement } from "./measurement";
import { MeasurementTable } from "./measurement-table";
import { loadMeasureParams, measurementHref } from "./search-params";
import { StartForm } from "./start-form";

export const metadata: Metadata = { title: "Compare" };
export const dynamic = "force-dynamic";

const PAGE = 50;

export default async function ComparePage({ searchParams }: PageProps<"/compare">) {
  const params = await loadMeasureParams(searchParams);
  const db = getDb();
  const { judges, models, fault } = judgeChoices();
  if (params.m !== null) return <Measurement id={params.m} params={params} judges={judges} />;
  const { before } = params;
  const rows = listMeasurements(db, { limit: PAGE + 1, ...(before === null ? {} : { before }) });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  const policies = [...policyChoices(db).map((p) => p.name), ...models.map((name) => `chat:${name}`)];
  const asked = params.policy ?? [];
  const first = asked.filter((name) => policies.includes(name));
  const missing = asked.filter((name) => !policies.includes(name));
  return (
    <Page
      title="Compare"
      term="behavior judge"
      note="How often checkpoints misbehave after held-out prefixes: rates with 95% intervals, under one or more judges"
    >
      <section aria-label="Measure" className="rounded-lg border bg-surface p-3">
        {missing.length > 0 ? (
          <p className="foreign mb-2 text-sm text-warn">
            Not chosen, for {missing.length === 1 ? "its weights are" : "their weights are"} not on this machine:{" "}
            {missing.map(visible).join(", ")}.
          </p>
        ) : null}
        <StartForm
          key={first.join("\n")}
          policies={policies}
          first={first}
          elsewhere={weightsElsewhere(db)}
          heldout={heldoutPrefixes(db)}
          judges={judges}
        />
        {fault ? <p className="mt-2 text-sm text-warn">No model can be chosen: {fault}</p> : null}
      </section>
      {shown.length === 0 ? (
        <StateMessage
          icon={<Gauge aria-hidden />}
          title={before === null ? "No measurement yet" : "No older measurement"}
        >
          Start one above: it runs as a job, and rates appear while it runs.
        </StateMessage>
      ) : (
        <MeasurementTable rows={shown} />
      )}
      <div className="flex gap-2">
        {before === null ? null : (
          <Button asChild size="sm">
            <Link href={measurementHref({})}>Newest</Link>
          </Button>
        )}
        {rows.length > PAGE && last ? (
          <Button asChild size="sm">
            <Link href={measurementHref({ before: last.id })}>Older</Link>
          </Button>
        ) : null}
      </div>
    </Page>
  );
}
