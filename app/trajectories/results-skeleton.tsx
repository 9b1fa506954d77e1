import { Skeleton } from "@/components/ui/skeleton";

const ROWS = Array.from({ length: 14 }, (_, i) => i);

export function ResultsSkeleton() {
  return (
    <div role="status" aria-label="Loading trajectories" className="flex flex-col gap-px">
      <Skeleton className="h-8" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-9 items-center gap-4 px-2.5">
          <Skeleton className="h-3.5 w-56" />
          <Skeleton className="h-3.5 w-36" />
          <Skeleton className="h-3.5 flex-1" />
        </div>
      ))}
    </div>
  );
}
