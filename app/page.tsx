import { Upload } from "lucide-react";
import Link from "next/link";
import { DistributionChart } from "@/components/charts/distribution";
import { distributionRows, publishedNote } from "@/components/charts/distribution-rows";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { activeJobs, listJobs } from "@/db/queries/jobs";
import { corpusByModel, misbehaviorOverview } from "@/db/queries/misbehaviors";
import { corpusOverview } from "@/db/queries/overview";
import { listProfiles } from "@/db/queries/profiles";
import { readStudy } from "@/lib/study/state";
import { Funnel } from "./home/funnel";
import { Models } from "./home/models";
import { NewestJobs } from "./home/newest-jobs";
import { NextSteps } from "./home/next-steps";
import { Profiles } from "./home/profiles";
import { StudyCard } from "./home/study";
import { policyChoices } from "./profiles/policies";

export const dynamic = "force-dynamic";

export default function HomePage() {
  const db = getDb();
  const totals = corpusOverview(db);
  const jobs = listJobs(db, { limit: 5 });
  const profiles = listProfiles(db, { limit: 3 });
  const policies = policyChoices(db);
  if (totals.trajectories === 0) {
    return (
      <Page title="Misstep" term="study" note="Finds the wrong steps that terminal agents keep repeating.">
        <Profiles profiles={profiles} policies={policies} first />
        <StateMessage
          icon={<Upload />}
          title={activeJobs(db).length > 0 ? "The first trajectories are on their way in" : "The index is empty"}
          actions={
            <Button asChild>
              <Link href="/import">Import trajectories</Link>
            </Button>
          }
        >
          Or import a folder of trajectories: steps that look wrong are flagged on the way in, each with its reason.
        </StateMessage>
        <NewestJobs initial={jobs} />
      </Page>
    );
  }
  const misbehaviors = misbehaviorOverview(db);
  return (
    <Page
      title="Misstep"
      term="study"
      note="Everything in this index: imports, profiles, trainings and measurements together"
    >
      <StudyCard db={db} />
      <Funnel db={db} totals={totals} named={misbehaviors.named.errorSteps} />
      <Profiles profiles={profiles} policies={policies} first={profiles.length === 0} />
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,2fr)_minmax(20rem,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <DistributionChart
            rows={distributionRows(misbehaviors)}
            published={publishedNote}
            note="Own shares come from narrow rules, the published ones from a model-backed localizer: compare shapes, not heights."
          />
          <Models db={db} rows={corpusByModel(db)} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <NextSteps totals={totals} study={readStudy(db) !== null} />
          <NewestJobs initial={jobs} />
        </div>
      </div>
    </Page>
  );
}
