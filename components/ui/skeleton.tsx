import { cn } from "@/components/cn";

/** A grey stand-in of the size of what is being loaded. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cn("animate-pulse rounded bg-raised", className)} />;
}
