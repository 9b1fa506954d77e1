import Link from "next/link";
import { cn } from "@/components/cn";

/** Pages of a queue for its lead. */
export function QueuePlaces({ id, here, norming }: { id: number; here: string; norming: boolean }) {
  const places = [
    { slug: "", label: "Queue" },
    { slug: "agreement", label: "Agreement" },
    { slug: "settle", label: "Settle" },
    ...(norming ? [{ slug: "norming", label: "Norming" }] : []),
  ];
  return (
    <nav aria-label="Queue" className="flex flex-wrap gap-1 text-sm">
      {places.map(({ slug, label }) => (
        <Link
          key={slug}
          href={slug === "" ? `/review/${id}` : `/review/${id}/${slug}`}
          aria-current={here === slug ? "page" : undefined}
          className={cn(
            "rounded-md px-2 py-1 hover:bg-raised",
            here === slug ? "bg-accent-soft text-accent" : "text-muted",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
