import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <Page title="Evaluate" note="Reading the index">
      <Skeleton className="h-24" />
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </Page>
  );
}
