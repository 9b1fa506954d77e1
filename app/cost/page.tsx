import { Coins } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { Page } from "@/components/shell/page";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { costReport } from "@/lib/evaluate/cost/report";
import { visible } from "@/lib/text/glyphs";
import { Choices } from "./choices";
import { Ledger } from "./ledger";
import { Published } from "./published";
import { Reductions } from "./reductions";
import { Resources } from "./resources";
import { loadCostParams } from "./search-params";
import { Trainings } from "./trainings";

export const metadata: Metadata = { title: "Cost" };
export const dynamic = "force-dynamic";

export default async function CostPage({ searchParams }: PageProps<"/cost">) {
  const params = await loadCostParams(searchParams);
  const report = costReport(getDb());
  const chosen =
    params.training && params.training.length > 0
      ? report.trainings.filter((t) => params.training?.includes(t.id))
      : report.trainings;
  return (
    <Page title="Cost" note="What trainings and model calls used, beside what the paper’s formulas say of it">
      {report.trainings.length === 0 ? (
        <StateMessage icon={<Coins aria-hidden />} title="No training has a step yet">
          Rollouts, tokens and time of a training are counted here as it runs.
          <Link href="/train" className="text-accent hover:underline">
            Start one
          </Link>
          .
        </StateMessage>
      ) : (
        <>
          <Choices trainings={report.trainings.map(({ id, name }) => ({ id, name: visible(name) }))} />
          <Resources trainings={chosen} all={report.trainings} params={params} />
          <Trainings trainings={chosen} />
          <Reductions trainings={chosen} />
        </>
      )}
      <Ledger report={report} />
      <Published />
    </Page>
  );
}
