import { Footprints, Pencil } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { DistributionChart } from "@/components/charts/distribution";
import { distributionRows, publishedNote } from "@/components/charts/distribution-rows";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { corpusByModel, misbehaviorOverview, unaidedByModel } from "@/db/queries/misbehaviors";
import { lookedAt, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";
import { formatCount, plural } from "@/lib/text/format";
import { TypesAgainstPeople } from "./against-people";
import { BuildForm } from "./build-form";
import { ByModel } from "./by-model";
import { annotatorChoices, stepsChoices } from "./choices";
import { Editor } from "./editor";
import { LongTail } from "./long-tail";
import { MisbehaviorTable } from "./misbehavior-table";
import { shownVersion, under } from "./shown";
import { TaxonomySwitch } from "./taxonomy-switch";

export const metadata: Metadata = { title: "Misbehaviors" };
export const dynamic = "force-dynamic";

export default async function MisbehaviorsPage({ searchParams }: PageProps<"/misbehaviors">) {
  const db = getDb();
  const { taxonomy: asked, edit } = await searchParams;
  const shown = shownVersion(db, asked);
  const overview = misbehaviorOverview(db, shown?.taxonomy.id);
  if (overview.corpus.trajectories === 0 || !shown) {
    return (
      <Page title="Misbehaviors" term="misbehavior">
        <StateMessage
          icon={<Footprints />}
          title="No trajectory yet"
          actions={
            <Button asChild variant="primary">
              <Link href="/import">Import trajectories</Link>
            </Button>
          }
        >
          Import some, and the kinds of wrong steps in them appear here with their shares.
        </StateMessage>
      </Page>
    );
  }
  const { corpus } = overview;
  const { taxonomy, linked } = shown;
  const types = typesOf(db, taxonomy.id);
  const looked = lookedAt(db, taxonomy.id);
  const editing = edit === "1" && taxonomy.newest === 1;
  return (
    <Page
      title="Misbehaviors"
      term="misbehavior"
      note={`${plural(overview.all.errorSteps, "error step")} among ${plural(corpus.steps, "step")} of ${plural(corpus.trajectories, "trajectory", "trajectories")} in ${plural(corpus.environments, "environment")}${
        corpus.withoutEnvironment > 0
          ? `; ${plural(corpus.withoutEnvironment, "trajectory names", "trajectories name")} no environment, left out of environment shares`
          : ""
      }`}
      actions={
        <span className="flex w-full flex-wrap items-center gap-2 sm:w-auto">
          <TaxonomySwitch
            choices={shown.choices.map(({ id, name, version }) => ({ id, name, version }))}
            shown={taxonomy.id}
            inForce={taxonomyInForce(db)}
            path="/misbehaviors"
          />
          {taxonomy.newest === 1 && !editing ? (
            <Button asChild>
              <Link href={under("/misbehaviors?edit=1", linked)}>
                <Pencil aria-hidden /> Edit types
              </Link>
            </Button>
          ) : null}
          <Button asChild>
            <Link href="/misbehaviors/versions">Versions</Link>
          </Button>
        </span>
      }
    >
      {looked.stale > 0 ? (
        <p className="text-sm text-warn">
          {plural(looked.stale, "error step")} carry labels made before an edit changed a definition.{" "}
          <Link href={`/misbehaviors/versions/${taxonomy.id}#stale`} className="text-accent underline">
            Look at them and relabel
          </Link>
        </p>
      ) : null}
      {taxonomy.newest === 0 ? (
        <p className="text-sm text-muted">
          An older version: its numbers stay as they are. The newest one can be edited.
        </p>
      ) : null}
      {editing ? (
        <Editor
          taxonomy={{ id: taxonomy.id, name: taxonomy.name, version: taxonomy.version }}
          types={types}
          done={under("/misbehaviors", linked)}
        />
      ) : (
        <MisbehaviorTable overview={overview} linked={linked} />
      )}
      <LongTail types={types.filter((t) => t.named === 0)} errorSteps={overview.all.errorSteps} linked={linked} />
      <DistributionChart
        rows={distributionRows(overview, linked)}
        published={publishedNote}
        note={`Flagged by narrow rules here, so shares are not comparable one to one with the published ones. A step or an environment may count in several rows.${
          overview.unseen > 0
            ? ` Shares are of all ${formatCount(overview.all.errorSteps)} error steps, of which ${formatCount(overview.unseen)} have no answer under this version.`
            : ""
        }`}
      />
      <ByModel
        db={db}
        overview={overview}
        counts={unaidedByModel(db)}
        corpus={corpusByModel(db)}
        taxonomyId={taxonomy.id}
        linked={linked}
      />
      <TypesAgainstPeople db={db} taxonomyId={taxonomy.id} linked={linked} />
      <section className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
        <h2 className="font-medium">
          Build a taxonomy{" "}
          <span className="text-sm font-normal text-muted">
            find the types among your own error steps; every build is a version beside the others
          </span>
        </h2>
        <BuildForm annotators={annotatorChoices()} steps={stepsChoices(db)} errorSteps={overview.all.errorSteps} />
      </section>
    </Page>
  );
}
