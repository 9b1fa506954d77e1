import { cn } from "@/components/cn";

/** One-line text input. Give it a label by `aria-label` or a <label>. */
export function Input({ className, ...props }: React.ComponentProps<"input">) {
  return (
    <input
      className={cn(
        "h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-sm placeholder:text-muted",
        className,
      )}
      {...props}
    />
  );
}
