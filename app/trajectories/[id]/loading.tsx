import { Skeleton } from "@/components/ui/skeleton";

const ROWS = [90, 220, 140, 260, 120];

export default function Loading() {
  return (
    <div role="status" aria-label="Loading trajectory" className="flex h-full flex-col">
      <div className="flex h-[5.75rem] flex-col gap-2 border-b bg-surface px-4 py-2.5">
        <Skeleton className="h-5 w-72" />
        <Skeleton className="h-4 w-full max-w-3xl" />
      </div>
      <div className="h-9 border-b bg-surface" />
      <div className="flex flex-1 flex-col gap-4 overflow-hidden p-4">
        {ROWS.map((height) => (
          <div key={height} style={{ height }}>
            <Skeleton className="h-full" />
          </div>
        ))}
      </div>
    </div>
  );
}
