import { cn } from "@/components/cn";
import { Term } from "@/components/ui/term";
import type { TermName } from "@/lib/text/glossary";

/** An ordinary page: scrolls as a whole, with a heading, its actions and its content. */
export function Page({
  title,
  term,
  note,
  actions,
  children,
  className,
}: {
  title: React.ReactNode;
  /** The word of the method that the page is about. */
  term?: TermName;
  note?: React.ReactNode;
  actions?: React.ReactNode;
  children: React.ReactNode;
  className?: string;
}) {
  return (
    <div className="relative h-full overflow-y-auto">
      <div className={cn("mx-auto flex w-full max-w-[110rem] flex-col gap-3 px-3 py-3 sm:px-5 sm:py-4", className)}>
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 flex-[1_1_15rem]">
            <div className="flex items-center gap-1">
              <h1 className="min-w-0 text-lg leading-7 font-semibold">{title}</h1>
              {term ? <Term name={term} /> : null}
            </div>
            {note ? <p className="text-sm text-muted">{note}</p> : null}
          </div>
          {actions}
        </header>
        {children}
      </div>
    </div>
  );
}
