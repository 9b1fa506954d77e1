import { ChevronLeft, ChevronRight, ChevronsLeft } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/lib/text/format";

interface Props {
  total: number;
  shown: number;
  /** Addresses; null where there is no such page. */
  first: string | null;
  previous: string | null;
  next: string | null;
}

/** First, previous and next page, with how many rows there are in all. */
export function Pager({ total, shown, first, previous, next }: Props) {
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <span aria-live="polite">
        {formatCount(shown)} of {formatCount(total)}
      </span>
      <span className="flex-1" />
      <PageLink href={first} label="First page" icon={<ChevronsLeft aria-hidden />} />
      <PageLink href={previous} label="Previous page" icon={<ChevronLeft aria-hidden />} text="Previous" />
      <PageLink href={next} label="Next page" icon={<ChevronRight aria-hidden />} text="Next" after />
    </nav>
  );
}

function PageLink({
  href,
  label,
  icon,
  text,
  after,
}: {
  href: string | null;
  label: string;
  icon: React.ReactNode;
  text?: string;
  after?: boolean;
}) {
  const content = after ? (
    <>
      {text}
      {icon}
    </>
  ) : (
    <>
      {icon}
      {text}
    </>
  );
  if (href === null)
    return (
      <Button size="sm" disabled aria-label={label}>
        {content}
      </Button>
    );
  return (
    <Button asChild size="sm">
      <Link href={href} aria-label={label} prefetch={false}>
        {content}
      </Link>
    </Button>
  );
}
