import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/skeleton";
import { ResultsSkeleton } from "./results-skeleton";

export default function Loading() {
  return (
    <Page title="Trajectories" note="Reading the index">
      <Skeleton className="h-8" />
      <ResultsSkeleton />
    </Page>
  );
}
