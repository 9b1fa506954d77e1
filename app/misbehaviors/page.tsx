import { Footprints } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { DistributionChart } from "@/components/charts/distribution";
import { distributionRows, publishedNote } from "@/components/charts/distribution-rows";
import { count } from "@/components/numbers";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { corpusByModel, countsByModel, misbehaviorOverview } from "@/db/queries/misbehaviors";
import { ByModel } from "./by-model";
import { MisbehaviorTable } from "./misbehavior-table";

export const metadata: Metadata = { title: "Misbehaviors" };
export const dynamic = "force-dynamic";

export default function MisbehaviorsPage() {
  const db = getDb();
  const overview = misbehaviorOverview(db);
  if (overview.corpus.trajectories === 0) {
    return (
      <Page title="Misbehaviors">
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
  return (
    <Page
      title="Misbehaviors"
      note={`${count(overview.all.errorSteps)} error steps among ${count(corpus.steps)} steps of ${count(corpus.trajectories)} trajectories in ${count(corpus.environments)} environments${
        corpus.withoutEnvironment > 0
          ? `; ${count(corpus.withoutEnvironment)} trajectories name no environment and are left out of environment shares`
          : ""
      }`}
    >
      <MisbehaviorTable overview={overview} />
      <DistributionChart
        rows={distributionRows(overview)}
        published={publishedNote}
        note="Flagged by narrow rules here, so shares are not comparable one to one with the published ones. A step or an environment may count in several rows."
      />
      <ByModel overview={overview} counts={countsByModel(db)} corpus={corpusByModel(db)} />
    </Page>
  );
}
