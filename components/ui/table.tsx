import { cn } from "@/components/cn";

/** A table in a box that scrolls sideways when it does not fit. */
export function TableFrame({
  className,
  children,
  label,
}: {
  className?: string;
  children: React.ReactNode;
  label: string;
}) {
  return (
    <section aria-label={label} className={cn("relative overflow-x-auto rounded-lg border bg-surface", className)}>
      <table className="w-full border-collapse text-sm [&>tbody>tr:last-child>:is(td,th)]:border-b-0">{children}</table>
    </section>
  );
}

export function Th({ className, ...props }: React.ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={cn("h-8 border-b px-2.5 text-left text-xs font-medium whitespace-nowrap text-muted", className)}
      {...props}
    />
  );
}

export function Td({ className, ...props }: React.ComponentProps<"td">) {
  return <td className={cn("border-b px-2.5 py-1.5 align-top", className)} {...props} />;
}
