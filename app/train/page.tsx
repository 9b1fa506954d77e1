import { Dumbbell } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { createLoader, parseAsInteger, parseAsNativeArrayOf, parseAsString } from "nuqs/server";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { keptPrefixes, listTrainings } from "@/db/queries/trainings";
import { hasSlurm } from "@/lib/jobs/place/refusal";
import { allRecipes } from "@/lib/train/ownRecipes";
import { ReadBackForm } from "./read-back-form";
import { StartForm } from "./start-form";
import { trainable } from "./trainable";
import { TrainingTable } from "./training-table";

export const metadata: Metadata = { title: "Train" };
export const dynamic = "force-dynamic";

const PAGE = 50;
const loadParams = createLoader({ before: parseAsInteger, misbehavior: parseAsNativeArrayOf(parseAsString) });

export default async function TrainPage({ searchParams }: PageProps<"/train">) {
  const { before, misbehavior } = await loadParams(searchParams);
  const db = getDb();
  const rows = listTrainings(db, { limit: PAGE + 1, ...(before === null ? {} : { before }) });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return (
    <Page
      title="Train"
      term="recipe"
      note="Reinforcement learning from the states before wrong steps: paid when the task is solved and the misbehavior does not come back"
    >
      <section aria-label="Start" className="rounded-lg border bg-surface p-3">
        <StartForm
          recipes={allRecipes(db)}
          kept={keptPrefixes(db)}
          bases={trainable(db)}
          chosen={misbehavior ?? []}
          slurm={hasSlurm()}
        />
      </section>
      <details className="rounded-lg border bg-surface p-3">
        <summary className="cursor-pointer font-medium">Read rollouts of another engine</summary>
        <ReadBackForm />
      </details>
      {shown.length === 0 ? (
        <StateMessage icon={<Dumbbell aria-hidden />} title={before === null ? "No training yet" : "No older training"}>
          Start one above: it runs as a job, and its curves and rollouts appear while it runs.
        </StateMessage>
      ) : (
        <TrainingTable rows={shown} />
      )}
      <div className="flex gap-2">
        {before === null ? null : (
          <Button asChild size="sm">
            <Link href="/train">Newest</Link>
          </Button>
        )}
        {rows.length > PAGE && last ? (
          <Button asChild size="sm">
            <Link href={`/train?before=${last.id}`}>Older</Link>
          </Button>
        ) : null}
      </div>
    </Page>
  );
}
