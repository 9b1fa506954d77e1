import { Coins } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { Page } from "@/components/shell/page";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { costReport } from "@/lib/evaluate/cost/report";
import { Ledger } from "./ledger";
import { Published } from "./published";
import { Trainings } from "./trainings";

export const metadata: Metadata = { title: "Cost" };
export const dynamic = "force-dynamic";

export default function CostPage() {
  const report = costReport(getDb());
  return (
    <Page title="Cost" note="What trainings and model calls used, beside what the paper’s formulas say of it">
      {report.trainings.length === 0 ? (
        <StateMessage icon={<Coins aria-hidden />} title="No training has a step yet">
          Rollouts, tokens and time of a training are counted here as it runs. <Link href="/train">Start one</Link>.
        </StateMessage>
      ) : (
        <Trainings trainings={report.trainings} />
      )}
      <Ledger report={report} />
      <Published />
    </Page>
  );
}
