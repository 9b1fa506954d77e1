import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <Page title="Train" note="Reading the index">
      <Skeleton className="h-48" />
      <Skeleton className="h-64" />
    </Page>
  );
}
