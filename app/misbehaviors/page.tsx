import { Footprints } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { DistributionChart } from "@/components/charts/distribution";
import { distributionRows, publishedNote } from "@/components/charts/distribution-rows";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { corpusByModel, countsByModel, misbehaviorOverview } from "@/db/queries/misbehaviors";
import { taxonomyInForce } from "@/db/queries/taxonomies";
import { formatCount } from "@/lib/text/format";
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
      note={`${formatCount(overview.all.errorSteps)} error steps among ${formatCount(corpus.steps)} steps of ${formatCount(corpus.trajectories)} trajectories in ${formatCount(corpus.environments)} environments${
        corpus.withoutEnvironment > 0
          ? `; ${formatCount(corpus.withoutEnvironment)} trajectories name no environment and are left out of environment shares`
          : ""
      }`}
    >
      <MisbehaviorTable overview={overview} />
      <DistributionChart
        rows={distributionRows(overview)}
        published={publishedNote}
        note="Flagged by narrow rules here, so shares are not comparable one to one with the published ones. A step or an environment may count in several rows."
      />
      <ByModel
        overview={overview}
        counts={countsByModel(db)}
        corpus={corpusByModel(db)}
        taxonomyId={taxonomyInForce(db)}
        linked={null}
      />
    </Page>
  );
}
