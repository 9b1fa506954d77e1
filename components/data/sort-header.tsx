import { ArrowDown, ArrowUp } from "lucide-react";
import { cn } from "@/components/cn";
import { Th } from "@/components/ui/table";

/** A column's head that sorts the list: the first press takes `first`, the next the other direction. */
export function SortHeader({
  label,
  here,
  dir,
  first,
  right,
  title,
  className,
  onSort,
}: {
  label: string;
  /** The list is sorted by this column now. */
  here: boolean;
  /** Direction in force. */
  dir: "asc" | "desc";
  /** Direction of the first press. */
  first: "asc" | "desc";
  right?: boolean;
  title?: string;
  className?: string;
  onSort: (dir: "asc" | "desc") => void;
}) {
  const Arrow = dir === "asc" ? ArrowUp : ArrowDown;
  return (
    <Th
      className={cn(right && "text-right", className)}
      aria-sort={here ? (dir === "asc" ? "ascending" : "descending") : "none"}
    >
      <button
        type="button"
        title={title ?? `Sort by ${label.toLowerCase()}`}
        className={cn("inline-flex items-center gap-1 rounded hover:text-text", here && "text-text")}
        onClick={() => onSort(here ? (dir === "desc" ? "asc" : "desc") : first)}
      >
        {label}
        {here ? <Arrow className="size-3" aria-hidden /> : null}
      </button>
    </Th>
  );
}
