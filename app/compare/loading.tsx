import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <Page title="Compare" note="Reading the index">
      <Skeleton className="h-14" />
      <Skeleton className="h-96" />
      <Skeleton className="h-64" />
    </Page>
  );
}
