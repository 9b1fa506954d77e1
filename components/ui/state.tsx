import { cn } from "@/components/cn";

/** What a place says when it has nothing to show, or when showing failed. */
export function StateMessage({
  icon,
  title,
  children,
  actions,
  tone = "neutral",
  page,
  className,
}: {
  icon?: React.ReactNode;
  title: React.ReactNode;
  children?: React.ReactNode;
  actions?: React.ReactNode;
  tone?: "neutral" | "bad";
  /** The message is the whole page: its title is the page's heading. */
  page?: boolean;
  className?: string;
}) {
  const Heading = page ? "h1" : "h2";
  return (
    <div
      role={tone === "bad" ? "alert" : undefined}
      className={cn("mx-auto flex max-w-xl flex-col items-center gap-2 px-4 py-12 text-center", className)}
    >
      {icon ? <div className={cn("[&_svg]:size-7", tone === "bad" ? "text-bad" : "text-muted")}>{icon}</div> : null}
      <Heading className="font-semibold">{title}</Heading>
      {children ? <div className="text-sm text-pretty text-muted">{children}</div> : null}
      {actions ? <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}
